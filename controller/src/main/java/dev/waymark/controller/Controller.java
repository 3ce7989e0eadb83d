package dev.waymark.controller;

import dev.waymark.controller.certificates.Certificates;
import dev.waymark.controller.health.ElectorPulse;
import dev.waymark.controller.health.HealthServer;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ClusterConnection;
import dev.waymark.controller.kubernetes.PodEvents;
import dev.waymark.controller.metrics.ApiClientMetrics;
import dev.waymark.controller.metrics.MetricsServer;
import dev.waymark.controller.metrics.ReconcileMetrics;
import dev.waymark.controller.metrics.TrainJobMetrics;
import dev.waymark.controller.reconcile.Reconcilers;
import dev.waymark.controller.reconcile.Reconcilers.Home;
import dev.waymark.controller.reconcile.TrustAnchors;
import dev.waymark.controller.status.ReportTokens;
import dev.waymark.controller.status.StatusService;
import dev.waymark.controller.types.RequiredTypes;
import dev.waymark.controller.types.TypeUpdates;
import dev.waymark.controller.webhook.WebhookServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole controller: its components, started in the order in which they need each other. The
 * probes come first, so that a kubelet can see the rest come up; then the certificate, the types
 * that the cluster must have, the reconcilers' caches, and the servers that look into them.
 */
public final class Controller implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  private static final String DEFAULT_NAMESPACE = "kubeflow-system";
  private static final int CLOSE_SECONDS = 5;
  private static final int EVENT_LOOPS = 2;

  private final CommandLine commandLine;
  private final ControllerConfiguration configuration;
  private final Consumer<String> fatal;
  private final Vertx vertx;
  private final PrometheusRegistry registry = new PrometheusRegistry();

  /** Empty: nobody else may lead, so there is no elector. */
  private final Optional<ElectorPulse> elector;

  private final KubernetesClient client;

  /** All that are to run, those not started yet included, in their order. */
  private volatile List<Component> components = List.of();

  private final Deque<Component> started = new ArrayDeque<>();

  /** Null until all serve. */
  private Rehearsal rehearsal;

  private boolean closing;

  /**
   * Makes a controller that does nothing yet.
   *
   * @param fatal told when only a new process can help; the text says why
   */
  public Controller(
      CommandLine commandLine, ControllerConfiguration configuration, Consumer<String> fatal) {
    this.commandLine = commandLine;
    this.configuration = configuration;
    this.fatal = fatal;
    vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(EVENT_LOOPS));
    elector = configuration.leaderElection().map(ElectorPulse::new);
    List<Interceptor> observers = new ArrayList<>(List.of(new ApiClientMetrics(registry)));
    elector.ifPresent(observers::add);
    client = ClusterConnection.open(commandLine.kubeconfig(), vertx, observers);
  }

  /**
   * Starts all components; returns when they serve.
   *
   * @throws Exception of the first that can't start; close the controller then
   */
  public void start() throws Exception {
    Home home = home();
    log.info("This is replica {} in namespace {}", home.identity(), home.namespace());
    // All are made before the first serves, so that no probe takes a part for the whole.
    components = components(home);
    for (Component component : components) {
      if (!begin(component)) {
        return;
      }
      component.start();
    }
    log.info("The controller is up");
    // The JVM's beans take a twentieth of a start, and nobody scrapes as soon as this.
    JvmMetrics.builder().register(registry);
    rehearse();
  }

  private synchronized void rehearse() {
    if (!closing) {
      rehearsal = new Rehearsal(components);
      rehearsal.begin();
    }
  }

  /** False when the controller was told to end while it still started. */
  private synchronized boolean begin(Component component) {
    if (!closing) {
      started.push(component);
    }
    return !closing;
  }

  /** The next one to close; null when all are closed. */
  private synchronized Component end() {
    closing = true;
    if (rehearsal != null) {
      rehearsal.end();
    }
    return started.poll();
  }

  private List<Component> components(Home home) {
    Certificates certificates =
        Certificates.create(client, configuration, home.namespace(), commandLine.certificates());
    Reconcilers reconcilers =
        new Reconcilers(
            client,
            configuration,
            home,
            TrustAnchors.of(certificates::authorities, certificates::onAuthoritiesChanged),
            new ReconcileMetrics(registry, configuration.trainJobWorkers()),
            new TrainJobMetrics(registry),
            fatal);
    registerGauges(certificates, reconcilers);
    List<Component> all = new ArrayList<>();
    configuration
        .health()
        .listen()
        .map(listen -> new HealthServer(vertx, listen, configuration.health(), () -> components))
        .ifPresent(all::add);
    all.add(certificates);
    ApiServer apiServer = new ApiServer(client);
    if (configuration.updatesTypes()) {
      all.add(new TypeUpdates(apiServer));
    }
    ReportTokens tokens =
        new ReportTokens(
            client,
            reconcilers.knownTrainJobs(),
            configuration.statusServer().requirePodBoundTokens());
    if (configuration.featureGates().trainJobStatus()) {
      all.add(tokens);
    }
    all.add(new RequiredTypes(apiServer, podEvents(apiServer, home)));
    all.add(reconcilers);
    elector.ifPresent(all::add);
    all.add(
        new WebhookServer(vertx, certificates.server(), configuration, reconcilers.knowledge()));
    if (configuration.featureGates().trainJobStatus()) {
      all.add(statusService(certificates, tokens, reconcilers));
    }
    configuration
        .metrics()
        .listen()
        .map(
            listen ->
                new MetricsServer(
                    vertx, configuration, listen, certificates.server(), registry, apiServer))
        .ifPresent(all::add);
    return List.copyOf(all);
  }

  private static PodEvents podEvents(ApiServer apiServer, Home home) {
    return new PodEvents(
        apiServer, home.namespace(), hostName(), home.identity(), Clock.systemUTC());
  }

  private StatusService statusService(
      Certificates certificates, ReportTokens tokens, Reconcilers reconcilers) {
    StatusService status =
        new StatusService(
            vertx,
            client,
            certificates.server(),
            configuration,
            tokens,
            reconcilers.knownTrainJobs());
    GaugeWithCallback.builder()
        .name("waymark_status_server_waiting_reports")
        .help("TrainJobs with a report that is answered and not yet written")
        .callback(gauge -> gauge.call(status.waitingReports()))
        .register(registry);
    return status;
  }

  private void registerGauges(Certificates certificates, Reconcilers reconcilers) {
    configuration
        .leaderElection()
        .ifPresent(
            election ->
                GaugeWithCallback.builder()
                    // Named as controller-runtime names it.
                    .name("leader_election_master_status")
                    .help("1 while this replica leads, else 0")
                    .labelNames("name")
                    .callback(
                        gauge -> gauge.call(reconcilers.leads() ? 1 : 0, election.leaseName()))
                    .register(registry));
    GaugeWithCallback.builder()
        .name("waymark_certificate_expiration_timestamp_seconds")
        .help("When the certificate ends that this replica's servers show")
        .callback(
            gauge ->
                certificates
                    .server()
                    .current()
                    .ifPresent(shown -> gauge.call(shown.leaf().getNotAfter().getTime() / 1e3)))
        .register(registry);
  }

  private Home home() {
    String namespace =
        commandLine
            .operatorNamespace()
            .or(ClusterConnection::podNamespace)
            .orElse(DEFAULT_NAMESPACE);
    return new Home(namespace, hostName() + "_" + UUID.randomUUID());
  }

  private static String hostName() {
    String pod = System.getenv("HOSTNAME");
    if (pod != null && !pod.isBlank()) {
      return pod;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "waymark";
    }
  }

  /** Closes what was started, the last one first; waits for it. */
  @Override
  public void close() {
    for (Component component = end(); component != null; component = end()) {
      try {
        component.close();
      } catch (RuntimeException e) {
        log.warn("Component {} did not close in good order", component.name(), e);
      }
    }
    client.close();
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.debug("Vert.x did not close in time: {}", e.toString());
    }
  }
}
