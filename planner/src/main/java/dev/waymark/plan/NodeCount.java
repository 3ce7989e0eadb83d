package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.TrainerApi;

/** How many pods a replicated job gets. */
final class NodeCount {

  /**
   * What the runtime says: for a trainer job under an ML policy its {@code numNodes}, otherwise the
   * template's parallelism; at least 1. There is one MPI launcher: upstream v2.3 starts {@code
   * numNodes} of them when the launcher's job is labelled as trainer.
   */
  static int ofRuntime(ReplicatedJob job, MLPolicy policy) {
    boolean byPolicy =
        policy != null && TrainerApi.ANCESTOR_TRAINER.equals(new PodSet(job, 1).ancestor());
    if (byPolicy && policy.mpi() != null && MpiPlugin.isLauncher(job.name())) {
      return 1;
    }
    Integer said = byPolicy ? policy.numNodes() : job.template().getSpec().getParallelism();
    return said == null ? 1 : Math.max(said, 1);
  }

  private NodeCount() {}
}
