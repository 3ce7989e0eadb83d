package dev.waymark.controller.metrics;

import dev.waymark.controller.reconcile.TrainJobObserver;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Condition;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What becomes of TrainJobs, by the names of kubeflow/trainer PR 4190. Only the leader tells it:
 * the metrics appear when it starts to lead and are gone when it stops. Labels are runtimes,
 * namespaces and a fixed list of reasons, never names of TrainJobs. Counting starts anew with each
 * leader, as Prometheus' counters do with each process.
 */
public final class TrainJobMetrics implements TrainJobObserver {

  /** Why TrainJobs finish; whatever else a JobSet says is {@code other}. */
  static final Set<String> REASONS =
      Set.of(
          "AllJobsCompleted",
          "FailedJobs",
          "ReachedMaxRestarts",
          "FailJobSetFailurePolicyAction",
          "DeadlineExceeded",
          "TrainingRuntimeNotSupported");

  private static final String OTHER = "other";

  /** From a minute to four weeks, in seconds. */
  private static final double[] LIFETIMES =
      Stream.of(
              "PT1M", "PT5M", "PT15M", "PT30M", "PT1H", "PT3H", "PT6H", "PT12H", "P1D", "P2D",
              "P4D", "P7D", "P14D", "P28D")
          .mapToDouble(text -> Duration.parse(text).toSeconds())
          .toArray();

  private static final double[] NODES = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

  private final PrometheusRegistry registry;

  private final Counter created;
  private final Counter finished;
  private final Histogram lifetime;
  private final Histogram nodes;

  /** Uids of the TrainJobs that were counted or must not be. */
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  private final Set<String> ended = ConcurrentHashMap.newKeySet();
  private volatile boolean leading;
  private volatile boolean over;
  private volatile KnownRuntimes runtimes;
  private volatile List<Collector> collectors = List.of();

  /** Makes metrics that nobody sees yet. */
  public TrainJobMetrics(PrometheusRegistry registry) {
    this.registry = registry;
    created =
        Counter.builder()
            .name("kubeflow_trainer_trainjob_created_total")
            .help("TrainJobs that were created since this replica leads")
            .labelNames("namespace", "runtime_ref")
            .build();
    finished =
        Counter.builder()
            .name("kubeflow_trainer_trainjob_finished_total")
            .help("TrainJobs that finished since this replica leads")
            .labelNames("namespace", "runtime_ref", "result", "reason")
            .build();
    lifetime =
        Histogram.builder()
            .name("kubeflow_trainer_trainjob_lifetime_seconds")
            .help("Time from the creation of a TrainJob to its end")
            .labelNames("result", "runtime_ref")
            .classicOnly()
            .classicUpperBounds(LIFETIMES)
            .build();
    nodes =
        Histogram.builder()
            .name("kubeflow_trainer_trainjob_requested_training_nodes_per_job")
            .help("Training nodes that a TrainJob asks for, when it is created")
            .labelNames("runtime_ref")
            .classicOnly()
            .classicUpperBounds(NODES)
            .build();
  }

  @Override
  public void startedLeading(KnownRuntimes knownRuntimes, Stream<TrainJob> existing) {
    runtimes = knownRuntimes;
    // What is new is told by what there was: times of creation are another machine's, and whole
    // seconds.
    existing.forEach(trainJob -> known.add(trainJob.getMetadata().getUid()));
    collectors = List.of(created, finished, lifetime, nodes, new RuntimeInfo(knownRuntimes));
    collectors.forEach(registry::register);
    leading = true;
  }

  @Override
  public void stoppedLeading() {
    leading = false;
    over = true;
    collectors.forEach(registry::unregister);
    collectors = List.of();
  }

  @Override
  public void seen(TrainJob trainJob) {
    boolean counts = trainJob.getSpec() != null && trainJob.getSpec().runtimeRef() != null;
    if (!leading || !counts || !known.add(trainJob.getMetadata().getUid())) {
      return;
    }
    created.labelValues(trainJob.getMetadata().getNamespace(), runtime(trainJob)).inc();
    nodes.labelValues(runtime(trainJob)).observe(requestedNodes(trainJob));
  }

  private int requestedNodes(TrainJob trainJob) {
    if (trainJob.getSpec().trainer() != null && trainJob.getSpec().trainer().numNodes() != null) {
      return trainJob.getSpec().trainer().numNodes();
    }
    return runtimes
        .find(trainJob.getSpec().runtimeRef(), trainJob.getMetadata().getNamespace())
        .map(RuntimeResource::getSpec)
        .map(spec -> spec.mlPolicy())
        .map(policy -> policy.numNodes())
        .orElse(1);
  }

  @Override
  public void finished(TrainJob trainJob, TrainJobStatus status) {
    // Also before it leads: where nobody else may, the reconcilers begin a moment earlier.
    if (over || !ended.add(trainJob.getMetadata().getUid())) {
      return;
    }
    Optional<Condition> end =
        status.conditions().stream()
            .filter(it -> "True".equals(it.getStatus()))
            .filter(it -> Set.of("Complete", "Failed").contains(it.getType()))
            .findFirst();
    String result =
        end.map(Condition::getType).filter("Complete"::equals).isPresent() ? "complete" : "failed";
    String reason = end.map(Condition::getReason).filter(REASONS::contains).orElse(OTHER);
    finished
        .labelValues(trainJob.getMetadata().getNamespace(), runtime(trainJob), result, reason)
        .inc();
    Instant creation = Instant.parse(trainJob.getMetadata().getCreationTimestamp());
    Instant over = end.map(Condition::getLastTransitionTime).map(Instant::parse).orElse(creation);
    lifetime
        .labelValues(result, runtime(trainJob))
        .observe((double) Math.max(0, Duration.between(creation, over).toSeconds()));
  }

  @Override
  public void deleted(TrainJob trainJob) {
    known.remove(trainJob.getMetadata().getUid());
    ended.remove(trainJob.getMetadata().getUid());
  }

  private static String runtime(TrainJob trainJob) {
    return trainJob.getSpec().runtimeRef().name();
  }

  /** All runtimes as they are when somebody asks. */
  private record RuntimeInfo(KnownRuntimes runtimes) implements Collector {
    @Override
    public InfoSnapshot collect() {
      InfoSnapshot.Builder info =
          InfoSnapshot.builder().name("kubeflow_trainer_runtime").help("Runtimes of the cluster");
      runtimes
          .all()
          .map(RuntimeInfo::labels)
          .distinct()
          .forEach(
              labels -> info.dataPoint(InfoDataPointSnapshot.builder().labels(labels).build()));
      return info.build();
    }

    private static Labels labels(RuntimeResource runtime) {
      Map<String, String> own = runtime.getMetadata().getLabels();
      String framework = own == null ? null : own.get(TrainerApi.FRAMEWORK_LABEL);
      return Labels.of(
          "kind",
          runtime.getKind(),
          "namespace",
          Objects.requireNonNullElse(runtime.getMetadata().getNamespace(), ""),
          "runtime_ref",
          runtime.name(),
          "framework",
          Objects.requireNonNullElse(framework, ""));
    }
  }
}
