package dev.waymark.controller.status;

import dev.waymark.controller.Component;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.ServingProbe;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.TokenBucket;
import dev.waymark.status.StatusServer;
import dev.waymark.status.TokenVerifier;
import dev.waymark.status.TrainJobKey;
import dev.waymark.status.http.WebServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.X509ExtendedKeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The status server of a cluster. Every replica serves it, whoever leads. */
public final class StatusService implements Component {

  private static final Logger log = LoggerFactory.getLogger(StatusService.class);

  /** All that the controller has, since nothing else is asked as often. */
  private static final int EVENT_LOOPS = 2;

  /** What the service knows of the cluster without asking. */
  public interface KnownTrainJobs {
    /** Uid of a TrainJob; empty when it isn't known. */
    Optional<String> uid(TrainJobKey trainJob);

    /** Uid of the JobSet that a TrainJob controls; empty when none is known. */
    Optional<String> jobSetUid(TrainJobKey trainJob);

    /** Uid of the last JobSet that a TrainJob controlled and that has gone; empty: none known. */
    Optional<String> deletedJobSetUid(TrainJobKey trainJob);
  }

  private final Vertx vertx;
  private final X509ExtendedKeyManager certificate;
  private final ControllerConfiguration configuration;

  /**
   * Times what is due later: the reports' writes, the limit of requests, the next probe. All of
   * that only sends requests; nothing here may wait.
   */
  private final ScheduledExecutorService timer;

  private final TokenVerifier verifier;
  private final KubernetesStatusSink sink;
  private final ServingProbe probe;

  private volatile WebServer server;

  /**
   * Makes a service that doesn't serve yet.
   *
   * @param certificate what it shows; may be replaced meanwhile
   * @param tokens decide whose reports count
   */
  public StatusService(
      Vertx vertx,
      KubernetesClient client,
      X509ExtendedKeyManager certificate,
      ControllerConfiguration configuration,
      ReportTokens tokens,
      KnownTrainJobs known) {
    this.vertx = vertx;
    this.certificate = certificate;
    this.configuration = configuration;
    ControllerConfiguration.StatusServer settings = configuration.statusServer();
    ApiServer apiServer = new ApiServer(client);
    verifier = tokens.verifier();
    timer = Executors.newSingleThreadScheduledExecutor(threads("status-timer-"));
    probe = new ServingProbe(timer);
    sink =
        new KubernetesStatusSink(
            new TrainJobStatuses(apiServer, trainJob -> known.uid(trainJob).isPresent()),
            new TokenBucket(settings.rate().qps(), settings.rate().burst()),
            settings.minWriteInterval(),
            timer);
  }

  static ThreadFactory threads(String name) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, name + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public String name() {
    return "status-server";
  }

  @Override
  public void start() throws Exception {
    ControllerConfiguration.Tls tls = configuration.tls();
    server =
        StatusServer.builder(vertx, certificate, verifier, sink)
            .port(configuration.statusServer().port())
            .eventLoops(EVENT_LOOPS)
            .tls(tls.protocols(), tls.cipherSuites())
            .start();
    log.info("The status server listens on port {}", server.port());
    probe.start(server);
  }

  /** The port that it listens on. */
  public int port() {
    return server.port();
  }

  /** How many TrainJobs have a report that is answered and not yet written. */
  public int waitingReports() {
    return sink.waiting();
  }

  @Override
  public Optional<String> notReady() {
    return probe.problem();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
    sink.close();
    timer.shutdownNow();
  }
}
