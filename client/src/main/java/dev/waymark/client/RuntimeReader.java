package dev.waymark.client;

import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.JobSetTemplateSpec;
import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sees in a runtime what those need who choose one, or why nobody can choose it. The rules are
 * those of the Kubeflow SDK 0.5.0; where that fails as a whole, one runtime is skipped here.
 */
final class RuntimeReader {

  private final DeviceMap devices;

  RuntimeReader(DeviceMap devices) {
    this.devices = devices;
  }

  /** Why a runtime can't be chosen; empty for one that can. */
  Optional<String> hindrance(RuntimeResource runtime) {
    if (!runtime.problems().isEmpty()) {
      return Optional.of("can't be read: " + runtime.problems().get(0));
    }
    if (framework(runtime) == null) {
      return Optional.of("has no label " + TrainerApi.FRAMEWORK_LABEL);
    }
    if (jobs(runtime).isEmpty()) {
      return Optional.of("has no replicated jobs, so nothing would run");
    }
    Optional<Container> trainer = trainer(runtime);
    if (trainer.isEmpty()) {
      return Optional.of(
          "has no container named "
              + TrainerApi.NODE
              + " in a job that is labelled "
              + TrainerApi.ANCESTOR_LABEL);
    }
    return trainer.get().getImage() == null || trainer.get().getImage().isEmpty()
        ? Optional.of("has no image for its container " + TrainerApi.NODE)
        : Optional.empty();
  }

  /** What there is to say about a runtime without a {@link #hindrance}. */
  TrainerRuntime read(RuntimeResource runtime) {
    int nodes = numNodes(runtime);
    return new TrainerRuntime(
        kind(runtime),
        runtime.name(),
        framework(runtime),
        trainer(runtime).orElseThrow().getImage(),
        nodes,
        deviceOfNode(runtime).times(nodes),
        runtime);
  }

  /** What each node of a TrainJob computes on unless it asks for something else. */
  Device deviceOfNode(RuntimeResource runtime) {
    Device device =
        trainer(runtime).map(node -> devices.of(node.getResources())).orElse(Device.NONE);
    MLPolicy policy = runtime.getSpec().mlPolicy();
    return policy != null && policy.mpi() != null && policy.mpi().numProcPerNode() != null
        ? device.withCount(policy.mpi().numProcPerNode().toString())
        : device;
  }

  /** The container that trains, as the runtime has it. */
  static Optional<Container> trainer(RuntimeResource runtime) {
    return jobs(runtime).stream()
        .filter(job -> ancestor(job) != null)
        .flatMap(job -> containers(job.template()).stream())
        .filter(container -> TrainerApi.NODE.equals(container.getName()))
        .findFirst();
  }

  /** Its replicated jobs that have a container which trains, by name. */
  static List<String> nodeJobs(RuntimeResource runtime) {
    return jobs(runtime).stream()
        .filter(
            job ->
                job.template() != null
                    && containers(job.template()).stream()
                        .anyMatch(container -> TrainerApi.NODE.equals(container.getName())))
        .map(ReplicatedJob::name)
        .toList();
  }

  static RuntimeKind kind(RuntimeResource runtime) {
    return runtime instanceof ClusterTrainingRuntime
        ? RuntimeKind.CLUSTER_TRAINING_RUNTIME
        : RuntimeKind.TRAINING_RUNTIME;
  }

  /** What the ML policy says; without one the parallelism of the job that trains; at least 1. */
  private static int numNodes(RuntimeResource runtime) {
    MLPolicy policy = runtime.getSpec().mlPolicy();
    Integer said = policy == null ? null : policy.numNodes();
    if (said == null && policy == null) {
      said =
          jobs(runtime).stream()
              .filter(job -> TrainerApi.ANCESTOR_TRAINER.equals(ancestor(job)))
              .findFirst()
              .map(job -> job.template().getSpec().getParallelism())
              .orElse(null);
    }
    return said == null ? 1 : Math.max(said, 1);
  }

  private static String framework(RuntimeResource runtime) {
    Map<String, String> labels = runtime.getMetadata().getLabels();
    return labels == null ? null : labels.get(TrainerApi.FRAMEWORK_LABEL);
  }

  private static List<ReplicatedJob> jobs(RuntimeResource runtime) {
    JobSetTemplateSpec template = runtime.getSpec() == null ? null : runtime.getSpec().template();
    return template == null || template.spec() == null || template.spec().replicatedJobs() == null
        ? List.of()
        : template.spec().replicatedJobs();
  }

  private static String ancestor(ReplicatedJob job) {
    return job.template() == null
            || job.template().getMetadata() == null
            || job.template().getMetadata().getLabels() == null
        ? null
        : job.template().getMetadata().getLabels().get(TrainerApi.ANCESTOR_LABEL);
  }

  private static List<Container> containers(JobTemplateSpec template) {
    return template.getSpec() == null
            || template.getSpec().getTemplate() == null
            || template.getSpec().getTemplate().getSpec() == null
        ? List.of()
        : template.getSpec().getTemplate().getSpec().getContainers();
  }
}
