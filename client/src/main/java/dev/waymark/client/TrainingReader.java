package dev.waymark.client;

import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus.JobStatus;
import dev.waymark.trainer.api.Trainer;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sees in a TrainJob, its runtime and its pods how far it is. The one place that decides it, for
 * get, list, wait and watch alike. Unlike the Kubeflow SDK 0.5.0 it takes a condition that is False
 * for nothing, so that a resumed TrainJob runs when its pods do (kubeflow/sdk#803), and knows those
 * that are suspended or wait for their pods.
 */
final class TrainingReader {

  /** On a TrainJob that a queue of Kueue's lets in. */
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";

  private static final List<String> INITIALIZERS =
      List.of(TrainerApi.ANCESTOR_DATASET_INITIALIZER, TrainerApi.ANCESTOR_MODEL_INITIALIZER);

  private final DeviceMap devices;
  private final RuntimeReader runtimes;

  TrainingReader(DeviceMap devices) {
    this.devices = devices;
    this.runtimes = new RuntimeReader(devices);
  }

  /** Why a TrainJob can't be shown; empty for one that can. */
  static Optional<String> hindrance(TrainJob job) {
    if (!job.problems().isEmpty()) {
      return Optional.of("can't be read: " + job.problems().get(0));
    }
    return job.getSpec() == null ? Optional.of("has no spec") : Optional.empty();
  }

  /**
   * What there is to say about a TrainJob without a {@link #hindrance}.
   *
   * @param runtime null when it is gone or may not be read
   * @param pods parts of the TrainJob's; empty as well when they may not be read
   */
  Training read(TrainJob job, TrainerRuntime runtime, List<PodPart> pods) {
    List<Step> steps = StepReader.steps(pods);
    int numNodes = numNodes(job, runtime);
    TrainingState state = state(job, steps, numNodes);
    return new Training(
        state,
        reason(job, state, steps),
        numNodes,
        device(job, runtime, steps),
        runtime,
        steps,
        job);
  }

  /**
   * Whether its runtime has a say in what was read without it: in the nodes, or in their device.
   */
  static boolean leavesOpen(Training training) {
    Trainer trainer = training.resource().getSpec().trainer();
    return trainer == null
        || trainer.numNodes() == null
        || trainer.numNodes() <= 0
        || !training.device().isKnown();
  }

  private static int numNodes(TrainJob job, TrainerRuntime runtime) {
    Trainer trainer = job.getSpec().trainer();
    if (trainer != null && trainer.numNodes() != null && trainer.numNodes() > 0) {
      return trainer.numNodes();
    }
    return runtime == null ? 1 : runtime.numNodes();
  }

  /** The rules, the first that fits wins. */
  static TrainingState state(TrainJob job, List<Step> steps, int numNodes) {
    Optional<TrainingState> end = end(job);
    if (end.isPresent()) {
      return end.get();
    }
    // The condition follows a resume by a moment, and stays False from then on: the spec counts.
    if (job.isSuspended()) {
      return TrainingState.SUSPENDED;
    }
    List<JobStatus> nodeJobs =
        jobs(job).stream().filter(it -> !INITIALIZERS.contains(it.name())).toList();
    long running = steps.stream().filter(step -> step.isNode() && step.isRunningOrDone()).count();
    if (running >= numNodes || nodeJobs.stream().anyMatch(it -> count(it.ready()) > 0)) {
      return TrainingState.RUNNING;
    }
    boolean hasPods = !steps.isEmpty() || jobs(job).stream().anyMatch(it -> count(it.active()) > 0);
    return hasPods ? TrainingState.PENDING : TrainingState.CREATED;
  }

  /** The last in the list wins where both are true. */
  private static Optional<TrainingState> end(TrainJob job) {
    TrainingState end = null;
    for (Condition condition : conditions(job)) {
      if ("True".equals(condition.getStatus())) {
        end =
            switch (condition.getType()) {
              case "Complete" -> TrainingState.COMPLETE;
              case "Failed" -> TrainingState.FAILED;
              default -> end;
            };
      }
    }
    return Optional.ofNullable(end);
  }

  private static String reason(TrainJob job, TrainingState state, List<Step> steps) {
    return switch (state) {
      case FAILED -> failure(job, steps);
      case SUSPENDED ->
          queue(job)
              .map(queue -> "waits in Kueue's queue " + queue)
              .orElse("suspended by its spec");
      case CREATED, PENDING, RUNNING ->
          steps.stream()
              .filter(step -> !step.trouble().isEmpty())
              .map(TrainingReader::text)
              .findFirst()
              .orElseGet(() -> preparing(state, steps));
      case COMPLETE -> "";
    };
  }

  /** What the condition says, and what went wrong in the pods. */
  private static String failure(TrainJob job, List<Step> steps) {
    StringBuilder text = new StringBuilder();
    conditions(job).stream()
        .filter(it -> "Failed".equals(it.getType()) && "True".equals(it.getStatus()))
        .forEach(it -> text.append(it.getReason()).append(": ").append(it.getMessage()));
    steps.stream()
        .filter(step -> !step.trouble().isEmpty())
        .forEach(step -> text.append(text.isEmpty() ? "" : "; ").append(text(step)));
    return text.toString();
  }

  private static String preparing(TrainingState state, List<Step> steps) {
    return state == TrainingState.RUNNING
        ? ""
        : steps.stream()
            .filter(step -> !step.isNode() && step.phase().equals("Running"))
            .map(step -> step.name() + " runs")
            .findFirst()
            .orElse("");
  }

  private static String text(Step step) {
    return step.name() + ": " + step.trouble();
  }

  private static Optional<String> queue(TrainJob job) {
    Map<String, String> labels = job.getMetadata().getLabels();
    return Optional.ofNullable(labels == null ? null : labels.get(QUEUE));
  }

  private Device device(TrainJob job, TrainerRuntime runtime, List<Step> steps) {
    Trainer trainer = job.getSpec().trainer();
    Device asked = trainer == null ? Device.NONE : devices.of(trainer.resourcesPerNode());
    return steps.stream()
        .filter(Step::isNode)
        .map(Step::device)
        .filter(Device::isKnown)
        .findFirst()
        .orElseGet(
            () ->
                asked.isKnown() || runtime == null
                    ? asked
                    : runtimes.deviceOfNode(runtime.resource()));
  }

  static List<Condition> conditions(TrainJob job) {
    return job.getStatus() == null || job.getStatus().conditions() == null
        ? List.of()
        : job.getStatus().conditions();
  }

  static List<JobStatus> jobs(TrainJob job) {
    return job.getStatus() == null || job.getStatus().jobsStatus() == null
        ? List.of()
        : job.getStatus().jobsStatus();
  }

  private static int count(Integer jobs) {
    return jobs == null ? 0 : jobs;
  }
}
