package dev.waymark.client;

import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runtimes and TrainJobs of a cluster as this client tells them. What can't be told is skipped, so
 * that a TrainJob whose runtime was deleted, or a runtime that nobody can use, hides none of the
 * others.
 */
final class Trainings {

  private final Cluster cluster;
  private final RuntimeReader runtimeReader;
  private final StepReader stepReader;
  private final TrainingReader trainingReader;

  Trainings(Cluster cluster, DeviceMap devices) {
    this.cluster = cluster;
    this.runtimeReader = new RuntimeReader(devices);
    this.stepReader = new StepReader(devices);
    this.trainingReader = new TrainingReader(devices);
  }

  /** The runtimes that TrainJobs of a namespace can name. */
  Listing<TrainerRuntime> runtimes(String namespace) {
    List<TrainerRuntime> found = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    cluster.runtimes(
        namespace,
        runtime ->
            runtimeReader
                .hindrance(runtime)
                .ifPresentOrElse(
                    reason -> skipped.add(new Skipped(runtime.title(), reason)),
                    () -> found.add(runtimeReader.read(runtime))));
    found.sort(Comparator.comparing(TrainerRuntime::name).thenComparing(TrainerRuntime::kind));
    return new Listing<>(found, skipped);
  }

  /**
   * A runtime.
   *
   * @throws TrainerException.NotFound if there is none
   * @throws TrainerException.Unsupported if nobody can use it
   */
  TrainerRuntime runtime(RuntimeKind kind, String namespace, String name) {
    RuntimeResource runtime = cluster.runtime(kind, namespace, name);
    if (runtime == null) {
      throw cluster.absent(kind.kind() + " " + name + " is not there");
    }
    Optional<String> hindrance = runtimeReader.hindrance(runtime);
    if (hindrance.isPresent()) {
      throw new TrainerException.Unsupported(runtime.title() + " " + hindrance.get(), null);
    }
    return runtimeReader.read(runtime);
  }

  /** Of two that share a name, the namespace's own. */
  TrainerRuntime runtime(String namespace, String name) {
    return cluster.runtime(RuntimeKind.TRAINING_RUNTIME, namespace, name) == null
        ? runtime(RuntimeKind.CLUSTER_TRAINING_RUNTIME, namespace, name)
        : runtime(RuntimeKind.TRAINING_RUNTIME, namespace, name);
  }

  /** A TrainJob with its runtime and its pods. */
  Training training(String namespace, String name) {
    TrainJob job = cluster.trainJob(namespace, name);
    Optional<String> hindrance = TrainingReader.hindrance(job);
    if (hindrance.isPresent()) {
      throw new TrainerException.Unsupported(job.title() + " " + hindrance.get(), null);
    }
    List<PodPart> pods =
        cluster.podsOf(namespace, name).stream()
            .map(stepReader::part)
            .flatMap(Optional::stream)
            .toList();
    return trainingReader.read(job, runtimeOf(job), pods);
  }

  /**
   * Null when it is gone, can't be used or may not be read: the TrainJob can be told all the same.
   */
  private TrainerRuntime runtimeOf(TrainJob job) {
    RuntimeRef ref = job.getSpec().runtimeRef();
    if (ref == null || ref.name() == null) {
      return null;
    }
    RuntimeKind kind =
        ref.effectiveKind().equals(RuntimeKind.TRAINING_RUNTIME.kind())
            ? RuntimeKind.TRAINING_RUNTIME
            : RuntimeKind.CLUSTER_TRAINING_RUNTIME;
    try {
      RuntimeResource runtime = cluster.runtime(kind, job.getMetadata().getNamespace(), ref.name());
      return runtime == null || runtimeReader.hindrance(runtime).isPresent()
          ? null
          : runtimeReader.read(runtime);
    } catch (TrainerException.Denied | TrainerException.Invalid noRightOrNoName) {
      return null;
    }
  }

  /**
   * TrainJobs with their runtimes and pods: four lists, however many there are, or two.
   *
   * @param keep what is kept of each; nothing else of it is once the next page is read
   */
  <R> Listing<R> list(String namespace, ListOptions options, Function<Training, R> keep) {
    String where = options.allNamespaces() ? null : namespace;
    ListedRuntimes runtimes = new ListedRuntimes(where);
    Map<String, List<PodPart>> pods = podsByKey(where);
    List<Kept<R>> found = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    cluster.trainJobs(
        where,
        options.selector(),
        job -> {
          Optional<String> hindrance = TrainingReader.hindrance(job);
          String in = job.getMetadata().getNamespace();
          if (hindrance.isPresent()) {
            skipped.add(new Skipped(job.title(), hindrance.get()));
          } else if (isOf(options.runtime(), job)) {
            List<PodPart> parts = pods.getOrDefault(key(in, job.name()), List.of());
            Training training = trainingReader.read(job, null, parts);
            if (options.runtimesToo() || TrainingReader.leavesOpen(training)) {
              training = trainingReader.read(job, runtimes.of(job), parts);
            }
            found.add(new Kept<>(in, job.name(), keep.apply(training)));
          }
        });
    found.sort(Comparator.<Kept<R>, String>comparing(Kept::namespace).thenComparing(Kept::name));
    return new Listing<>(found.stream().map(Kept::what).toList(), skipped);
  }

  /** What is kept of a TrainJob. */
  private record Kept<R>(String namespace, String name, R what) {}

  /** The runtimes of a list, which are read once somebody asks for one. */
  private final class ListedRuntimes {

    private final String namespace;
    private Map<String, TrainerRuntime> byKey;

    ListedRuntimes(String namespace) {
      this.namespace = namespace;
    }

    /** Null when it is gone, can't be used or may not be read. */
    TrainerRuntime of(TrainJob job) {
      if (byKey == null) {
        byKey = new HashMap<>();
        read();
      }
      return byKey.get(runtimeKey(job));
    }

    private void read() {
      try {
        cluster.runtimes(
            namespace,
            runtime -> {
              if (runtimeReader.hindrance(runtime).isEmpty()) {
                byKey.put(runtimeKey(runtime), runtimeReader.read(runtime));
              }
            });
      } catch (TrainerException.Denied noRight) {
        // Told without them.
      }
    }
  }

  private Map<String, List<PodPart>> podsByKey(String namespace) {
    Map<String, List<PodPart>> pods = new HashMap<>();
    cluster.pods(
        namespace,
        null,
        pod -> {
          String of = JobSetLabels.of(pod, JobSetLabels.JOB_SET);
          stepReader
              .part(pod)
              .ifPresent(
                  part ->
                      pods.computeIfAbsent(
                              key(pod.getMetadata().getNamespace(), of), key -> new ArrayList<>())
                          .add(part));
        });
    return pods;
  }

  private static boolean isOf(String runtime, TrainJob job) {
    RuntimeRef ref = job.getSpec().runtimeRef();
    return runtime == null || (ref != null && runtime.equals(ref.name()));
  }

  private static String runtimeKey(RuntimeResource runtime) {
    String namespace = runtime.getMetadata().getNamespace();
    return runtime.getKind() + key(namespace == null ? "" : namespace, runtime.name());
  }

  private static String runtimeKey(TrainJob job) {
    RuntimeRef ref = job.getSpec().runtimeRef();
    if (ref == null) {
      return "";
    }
    boolean isNamespaced = ref.effectiveKind().equals(RuntimeKind.TRAINING_RUNTIME.kind());
    return ref.effectiveKind()
        + key(isNamespaced ? job.getMetadata().getNamespace() : "", String.valueOf(ref.name()));
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }
}
