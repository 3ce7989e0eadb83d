package dev.waymark.cli.run;

import dev.waymark.plan.PodSet;
import dev.waymark.plan.RuntimePlan;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A planned TrainJob, and what this machine has for it: what {@link LocalRules} judges.
 *
 * @param trainer the pods that train
 * @param container the one of them that runs the program
 * @param root what stands in for the image, or null
 * @param pod the first pod, as it can ask about itself
 * @param shell variables that may stand in for Secrets and ConfigMaps
 */
record LocalSubject(
    TrainJob job,
    RuntimePlan plan,
    PodSet trainer,
    Container container,
    LocalRoot root,
    DownwardApi pod,
    Map<String, String> shell) {

  PodSpec podSpec() {
    return trainer.podSpec();
  }

  JobSpec jobSpec() {
    return trainer.job().template().getSpec();
  }

  Machine machine() {
    return pod.machine();
  }

  Stream<EnvVar> variables() {
    return each(container.getEnv());
  }

  /** The volumes that the container mounts: what it has at {@code /dev/shm} is memory. */
  Stream<VolumeMount> volumes(boolean sharedMemory) {
    return each(container.getVolumeMounts())
        .filter(mount -> "/dev/shm".equals(mount.getMountPath()) == sharedMemory);
  }

  /**
   * How much the container asks for of each resource, by name: its limit, or else its request.
   *
   * @param devices whether of extended resources, or of Kubernetes' own
   */
  Map<String, Quantity> resources(boolean devices) {
    Map<String, Quantity> amounts = new TreeMap<>();
    if (container.getResources() != null) {
      putAll(amounts, container.getResources().getRequests());
      putAll(amounts, container.getResources().getLimits());
    }
    // Extended resources have a domain; those of Kubernetes itself (cpu, hugepages-2Mi) have none.
    amounts.keySet().removeIf(resource -> resource.contains("/") != devices);
    return amounts;
  }

  /** The items of a list of the API, which has null for an empty one. */
  static <T> Stream<T> each(List<T> items) {
    return items == null ? Stream.of() : items.stream();
  }

  private static void putAll(Map<String, Quantity> all, Map<String, Quantity> some) {
    if (some != null) {
      all.putAll(some);
    }
  }
}
