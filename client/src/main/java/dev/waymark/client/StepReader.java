package dev.waymark.client;

import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sees in the pods of a TrainJob what each of them does. The names and rules are those of the
 * Kubeflow SDK 0.5.0, except that no resource is unknown enough to fail for.
 */
final class StepReader {

  private static final String LAUNCHER = "launcher";

  /** Of a step's name, the SDK's. */
  private static final String NODE_STEP = "node-";

  private static final String PROCESSES = "PET_NPROC_PER_NODE";

  private static final List<String> INITIALIZERS =
      List.of(TrainerApi.ANCESTOR_DATASET_INITIALIZER, TrainerApi.ANCESTOR_MODEL_INITIALIZER);

  private final DeviceMap devices;

  StepReader(DeviceMap devices) {
    this.devices = devices;
  }

  /** The part of a pod; empty for one that has none which people know. */
  Optional<PodPart> part(Pod pod) {
    String role = JobSetLabels.of(pod, JobSetLabels.REPLICATED_JOB);
    if (INITIALIZERS.contains(role)) {
      return Optional.of(part(role, 0, pod, container(pod, role)));
    }
    String index = JobSetLabels.of(pod, JobSetLabels.COMPLETION_INDEX);
    boolean isNode = role.equals(LAUNCHER) || role.equals(TrainerApi.NODE);
    return isNode && Device.isWholeNumber(index)
        ? container(pod, TrainerApi.NODE)
            .map(node -> part(role, Integer.parseInt(index), pod, Optional.of(node)))
        : Optional.empty();
  }

  private PodPart part(String role, int index, Pod pod, Optional<Container> container) {
    Device device = container.map(it -> devices.of(it.getResources())).orElse(Device.NONE);
    Optional<String> processes = container.flatMap(StepReader::processes);
    String created = pod.getMetadata().getCreationTimestamp();
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return new PodPart(
        role,
        index,
        pod.getMetadata().getName(),
        created == null ? "" : created,
        phase == null ? "" : phase,
        processes.map(device::withCount).orElse(device),
        PodTrouble.of(pod));
  }

  /**
   * The steps of a TrainJob: initializers first, then nodes by number.
   *
   * @param parts those of its pods, in any order, recreated ones included
   */
  static List<Step> steps(List<PodPart> parts) {
    boolean isMpi = parts.stream().anyMatch(part -> part.role().equals(LAUNCHER));
    Map<String, PodPart> newest = new HashMap<>();
    for (PodPart part : parts) {
      newest.merge(name(part, isMpi), part, StepReader::newer);
    }
    return newest.entrySet().stream()
        .map(it -> step(it.getKey(), it.getValue()))
        .sorted(Comparator.comparingInt(StepReader::place))
        .toList();
  }

  private static String name(PodPart part, boolean isMpi) {
    if (INITIALIZERS.contains(part.role())) {
      return part.role();
    }
    boolean isWorker = isMpi && part.role().equals(TrainerApi.NODE);
    return NODE_STEP + (isWorker ? part.index() + 1 : part.index());
  }

  /** Pods that follow each other within a second are told apart by their names, always alike. */
  private static PodPart newer(PodPart one, PodPart other) {
    int order =
        Comparator.comparing(PodPart::created).thenComparing(PodPart::pod).compare(one, other);
    return order >= 0 ? one : other;
  }

  private static Step step(String name, PodPart part) {
    return new Step(name, part.pod(), part.phase(), part.device(), part.trouble());
  }

  /** How many processes torchrun was told; each has a device of its own. */
  private static Optional<String> processes(Container container) {
    return container.getEnv().stream()
        .filter(variable -> PROCESSES.equals(variable.getName()))
        .map(EnvVar::getValue)
        .filter(Device::isWholeNumber)
        .findFirst();
  }

  private static Optional<Container> container(Pod pod, String name) {
    return pod.getSpec() == null
        ? Optional.empty()
        : pod.getSpec().getContainers().stream()
            .filter(container -> name.equals(container.getName()))
            .findFirst();
  }

  /** Initializers below 0, nodes by number. */
  private static int place(Step step) {
    return step.isNode()
        ? Integer.parseInt(step.name().substring(NODE_STEP.length()))
        : INITIALIZERS.indexOf(step.name()) - INITIALIZERS.size();
  }
}
