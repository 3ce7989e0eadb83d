package dev.waymark.controller.webhook;

import dev.waymark.controller.Component;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.Practice;
import dev.waymark.controller.ServingProbe;
import dev.waymark.controller.reconcile.ClusterKnowledge;
import dev.waymark.status.http.WebServer;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.TrainingRuntime;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509ExtendedKeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the admission webhooks, on every replica, whoever leads. */
public final class WebhookServer implements Component {

  private static final Logger log = LoggerFactory.getLogger(WebhookServer.class);

  private static final String PATH = "-trainer-kubeflow-org-v1alpha1-";

  /** Questions that are decided, or wait for the API server, at a time. */
  static final int THREADS = 32;

  private static final Duration THREAD_IDLE = Duration.ofSeconds(30);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(8);

  private final ExecutorService executor = executor();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(WebhookServer::thread);
  private final Vertx vertx;
  private final X509ExtendedKeyManager certificate;
  private final ControllerConfiguration configuration;
  private final AdmissionState state;
  private final ServingProbe probe;

  private volatile WebServer server;

  /**
   * Makes a server that doesn't serve yet.
   *
   * @param certificate what it shows; may be replaced meanwhile
   */
  public WebhookServer(
      Vertx vertx,
      X509ExtendedKeyManager certificate,
      ControllerConfiguration configuration,
      ClusterKnowledge knowledge) {
    this(vertx, certificate, configuration, new KnownCluster(knowledge));
  }

  WebhookServer(
      Vertx vertx,
      X509ExtendedKeyManager certificate,
      ControllerConfiguration configuration,
      AdmissionState state) {
    this.vertx = vertx;
    this.certificate = certificate;
    this.configuration = configuration;
    this.state = state;
    probe = new ServingProbe(timer);
  }

  /** A server with nothing said of where it listens. */
  private WebServer.Builder serverOf(Map<String, Webhook> webhooks, Executor decides) {
    return WebServer.builder(vertx, new WebhookEndpoint(webhooks, decides, ANSWER_LIMIT))
        .certificate(certificate)
        .tls(configuration.tls().protocols(), configuration.tls().cipherSuites())
        // One more, so that a question that is too long is seen to be.
        .maxBody(WebhookEndpoint.MAX_BODY + 1);
  }

  /** By their paths, which are upstream's. */
  static Map<String, Webhook> webhooks(AdmissionState state, Clock clock) {
    return Map.of(
        "/mutate" + PATH + "trainjob", new TrainJobDefaulter(clock),
        "/validate" + PATH + "trainjob", new TrainJobWebhook(state),
        "/validate" + PATH + "trainingruntime", new RuntimeWebhook(TrainingRuntime.class),
        "/validate" + PATH + "clustertrainingruntime",
            new RuntimeWebhook(ClusterTrainingRuntime.class));
  }

  /**
   * Threads enough that questions which wait for the API server hold up no others, and none while
   * nobody asks.
   */
  static ExecutorService executor() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            THREAD_IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            WebhookServer::thread);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "webhook");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public String name() {
    return "webhooks";
  }

  @Override
  public void start() throws Exception {
    server =
        serverOf(webhooks(state, Clock.systemUTC()), executor)
            .host(configuration.webhook().host())
            .port(configuration.webhook().port())
            .start();
    log.info("The webhooks listen on port {}", server.port());
    probe.start(server);
  }

  /** The port that it listens on. */
  public int port() {
    return server.port();
  }

  @Override
  public Optional<String> notReady() {
    return probe.problem();
  }

  @Override
  public Optional<Practice> practice() {
    return Optional.of(new WebhookRehearsal(vertx, this::serverOf));
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
    executor.shutdownNow();
    timer.shutdownNow();
  }
}
