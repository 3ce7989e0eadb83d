package dev.waymark.controller.reconcile;

import dev.waymark.controller.Component;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.ControllerConfiguration.LeaderElection;
import dev.waymark.controller.Practice;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.status.StatusService;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.OperatorException;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.Cloner;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.processing.retry.Retry;
import io.vertx.core.VertxException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reconcilers, on java-operator-sdk, with the settings under which it behaves as a controller
 * should when things go wrong (seen in 5.3.2 on fabric8 7.6.1): whatever it can't heal by itself
 * ends the process, so that a new one starts from what is there.
 */
public final class Reconcilers implements Component, TrainJobObserver.KnownRuntimes {

  private static final Logger log = LoggerFactory.getLogger(Reconcilers.class);

  private static final Duration SYNC_LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  /** Between two tries to start, doubled each time, up to the last. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  private static final Duration LAST_PAUSE = Duration.ofSeconds(30);

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;

  /** As Go's work queue: from 5 ms, doubled, to 1000 s, for ever. */
  static final Retry RETRY =
      new GenericRetry()
          .setInitialInterval(Duration.ofMillis(5))
          .setIntervalMultiplier(2)
          .setMaxInterval(Duration.ofSeconds(1000).toMillis())
          .withoutMaxAttempts();

  /**
   * Where the controller lives.
   *
   * @param namespace of its own objects
   * @param identity of this replica
   */
  public record Home(String namespace, String identity) {}

  /** Another framework each time, since one that couldn't start can't be started again. */
  private final Supplier<Operator> operators;

  private volatile Operator operator;
  private final Caches caches;
  private final ClusterKnowledge knowledge;
  private final RuntimeFinalizerReconciler<TrainingRuntime> trainingRuntimes;
  private final RuntimeFinalizerReconciler<ClusterTrainingRuntime> clusterTrainingRuntimes;
  private final Writes writes;
  private final TrainJobObserver observer;
  private final TrustAnchors trusted;
  private final Consumer<String> failed;
  private final KubernetesSerialization serialization;

  /** Null: nobody else may lead. */
  private final Lease lease;

  private final AtomicReference<String> end = new AtomicReference<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean started;
  private volatile boolean leading;
  private volatile boolean closing;

  /**
   * Makes reconcilers that do nothing yet.
   *
   * @param trusted for the copies that pods mount, which follow their changes
   * @param metrics told about each reconcile
   * @param observer told what becomes of TrainJobs
   * @param fatal told when only a new process can help; the text says why
   */
  public Reconcilers(
      KubernetesClient client,
      ControllerConfiguration configuration,
      Home home,
      TrustAnchors trusted,
      Metrics metrics,
      TrainJobObserver observer,
      Consumer<String> fatal) {
    this(client, configuration, home, trusted, metrics, observer, fatal, RETRY);
  }

  /** With another pace of retries. */
  Reconcilers(
      KubernetesClient client,
      ControllerConfiguration configuration,
      Home home,
      TrustAnchors trusted,
      Metrics metrics,
      TrainJobObserver observer,
      Consumer<String> fatal,
      Retry retry) {
    this.observer = observer;
    this.trusted = trusted;
    failed =
        why -> {
          if (end.compareAndSet(null, why)) {
            fatal.accept(why);
          }
        };
    serialization = client.getKubernetesSerialization();
    ApiServer apiServer = new ApiServer(client);
    caches = new Caches();
    Courtesy courtesy = new Courtesy(caches::reconcile);
    writes = new Writes(apiServer, serialization, configuration.clientConnection(), courtesy);
    lease =
        configuration
            .leaderElection()
            .map(settings -> new Lease(apiServer, settings, home))
            .orElse(null);
    trainingRuntimes = new RuntimeFinalizerReconciler.OfNamespace(writes);
    clusterTrainingRuntimes = new RuntimeFinalizerReconciler.OfCluster(writes);
    RuntimeSource runtimes =
        new RuntimeSource(
            caches, writes, (ref, namespace) -> find(ref, namespace).map(RuntimeSource::version));
    ClusterView cluster = new ClusterView(configuration, home, trusted);
    knowledge = new ClusterKnowledge(caches, runtimes, cluster, courtesy);
    TrainJobReconciler trainJobs =
        new TrainJobReconciler(
            caches,
            courtesy,
            new TrainJobObjects(caches, runtimes, writes, cluster::settings),
            new TrainJobEvents(writes, home.identity(), Clock.systemUTC()),
            writes,
            observer,
            Clock.systemUTC());

    operators =
        () -> {
          Operator made =
              new Operator(
                  framework -> {
                    settings(framework, client, configuration, metrics, this::watchEnded);
                    configuration
                        .leaderElection()
                        .map(settings -> election(settings, home))
                        .ifPresent(framework::withLeaderElectionConfiguration);
                  });
          register(made, trainJobs, retry);
          return made;
        };
    operator = operators.get();
  }

  private void register(Operator operator, TrainJobReconciler trainJobs, Retry retry) {
    operator.register(
        trainJobs,
        controller ->
            common(controller, "trainjob_controller", retry)
                .withOnUpdateFilter(RelevantChange::accept));
    operator.register(
        trainingRuntimes, controller -> common(controller, "trainingruntime_controller", retry));
    operator.register(
        clusterTrainingRuntimes,
        controller -> common(controller, "clustertrainingruntime_controller", retry));
  }

  private static void settings(
      ConfigurationServiceOverrider framework,
      KubernetesClient client,
      ControllerConfiguration configuration,
      Metrics metrics,
      Consumer<Throwable> watchEnded) {
    framework
        .withKubernetesClient(client)
        .withCloseClientOnStop(false)
        .withConcurrentReconciliationThreads(configuration.trainJobWorkers())
        .withMetrics(metrics)
        .withCacheSyncTimeout(SYNC_LIMIT)
        .withReconciliationTerminationTimeout(STOP_LIMIT)
        // Ready with an empty cache would be worse than not started.
        .withStopOnInformerErrorDuringStartup(true)
        .withInformerStoppedHandler(
            (informer, failure) -> {
              if (failure != null) {
                watchEnded.accept(failure);
              }
            })
        // Nothing here changes what it gets.
        .withResourceCloner(new SameObject());
  }

  /** Before all have begun, the start itself tells what fails, and may try again. */
  private void watchEnded(Throwable failure) {
    if (started) {
      failed.accept("a watch has stopped for good: " + failure);
    }
  }

  private static final class SameObject implements Cloner {
    @Override
    public <T extends HasMetadata> T clone(T object) {
      return object;
    }
  }

  private LeaderElectionConfiguration election(LeaderElection settings, Home home) {
    return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(settings.leaseName())
        .withLeaseNamespace(Lease.namespace(settings, home))
        .withLeaseDuration(settings.leaseDuration())
        .withRenewDeadline(settings.renewDeadline())
        .withRetryPeriod(settings.retryPeriod())
        .withIdentity(home.identity())
        .withLeaderCallbacks(new LeaderCallbacks(this::lead, this::stopLeading, leader -> {}))
        // It would call exit on the thread that stops the framework, which may be that of the exit.
        .buildForTest(/* exitOnStopLeading= */ false);
  }

  private void lead() {
    log.info("This replica leads");
    leading = true;
    observer.startedLeading(this, caches.trainJobs());
  }

  private void stopLeading() {
    boolean led = leading;
    leading = false;
    writes.refuse("this replica does not lead any more");
    if (led) {
      observer.stoppedLeading();
    }
    if (led && !closing) {
      failed.accept("leadership is lost");
    }
  }

  private static <R extends HasMetadata> ControllerConfigurationOverrider<R> common(
      ControllerConfigurationOverrider<R> controller, String name, Retry retry) {
    return controller
        .withName(name)
        // Status and metadata count too, and what doesn't is filtered.
        .withGenerationAware(false)
        // Without it an object that is being deleted and has finalizers is never seen.
        .withTriggerReconcilerOnAllEvents(true)
        .withRetry(retry)
        .withReconciliationMaxInterval(null);
  }

  @Override
  public String name() {
    return "reconcilers";
  }

  @Override
  public void start() {
    // Before the first reconcile, which may come long before all have started.
    trusted.onChange(caches::reconcileUnfinished);
    startOperator();
    started = true;
    if (lease == null) {
      lead();
    }
  }

  /** Tries again what may pass: a connection that was closed, an API server that is not ready. */
  private void startOperator() {
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        operator.start();
        if (closing) {
          operator.stop();
        }
        return;
      } catch (OperatorException e) {
        if (!mayPass(e) || isClosedAfter(pause)) {
          throw e;
        }
        log.warn("The caches can't be filled yet, trying again: {}", ApiServer.rootCause(e));
      }
      pause = pause.multipliedBy(2).compareTo(LAST_PAUSE) < 0 ? pause.multipliedBy(2) : LAST_PAUSE;
      operator = operators.get();
    }
  }

  /** Whether a failure says nothing about what this controller may do, or the cluster has. */
  static boolean mayPass(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException answer && answer.getCode() != 0) {
        return answer.getCode() == TOO_MANY_REQUESTS || answer.getCode() >= SERVER_ERROR;
      } else if (cause instanceof IOException
          || cause instanceof VertxException
          || cause instanceof TimeoutException) {
        return true;
      }
    }
    return false;
  }

  private boolean isClosedAfter(Duration pause) {
    try {
      return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Whether this replica reconciles. */
  public boolean leads() {
    return leading;
  }

  /** What admission needs to know. */
  public ClusterKnowledge knowledge() {
    return knowledge;
  }

  /** What the status server needs to know. */
  public StatusService.KnownTrainJobs knownTrainJobs() {
    return caches;
  }

  @Override
  public Stream<RuntimeResource> all() {
    return started
        ? Stream.concat(trainingRuntimes.all(), clusterTrainingRuntimes.all())
        : Stream.empty();
  }

  @Override
  public Optional<? extends RuntimeResource> find(RuntimeRef ref, String namespace) {
    return ref.effectiveKind().equals("TrainingRuntime")
        ? trainingRuntimes.get(namespace, ref.name())
        : clusterTrainingRuntimes.get(null, ref.name());
  }

  @Override
  public Optional<String> notReady() {
    if (!started) {
      return Optional.of("the caches are not filled yet");
    }
    return unhealthy(informer -> informer.isWatching()).map(name -> name + " are not watched");
  }

  @Override
  public Optional<String> dead() {
    Optional<String> over = Optional.ofNullable(end.get());
    return over.isPresent() || !started
        ? over
        : unhealthy(informer -> informer.isRunning())
            .map(name -> "the watch of " + name + " ended");
  }

  private Optional<String> unhealthy(Predicate<InformerHealthIndicator> sound) {
    for (RegisteredController<?> controller : operator.getRegisteredControllers()) {
      for (InformerWrappingEventSourceHealthIndicator<?> source :
          controller.getControllerHealthInfo().informerEventSourceHealthIndicators().values()) {
        for (InformerHealthIndicator informer : source.informerHealthIndicators().values()) {
          if (!sound.test(informer)) {
            return Optional.of(controller.getConfiguration().getName() + ": " + source);
          }
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<Practice> practice() {
    return Optional.of(new ReconcileRehearsal(serialization));
  }

  @Override
  public void close() {
    closing = true;
    closed.countDown();
    boolean led = leading;
    operator.stop();
    if (led && lease != null) {
      lease.release();
    }
  }
}
