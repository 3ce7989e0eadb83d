package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.TrainerApi;

/** How many pods a replicated job gets. */
final class NodeCount {

  /**
   * What the runtime says: for a trainer job under an ML policy its {@code numNodes}, otherwise the
   * template's parallelism; at least 1.
   */
  static int ofRuntime(ReplicatedJob job, MLPolicy policy) {
    boolean byPolicy =
        policy != null && TrainerApi.ANCESTOR_TRAINER.equals(new PodSet(job, 1).ancestor());
    Integer said = byPolicy ? policy.numNodes() : job.template().getSpec().getParallelism();
    return said == null ? 1 : Math.max(said, 1);
  }

  /** The pod set with the number of nodes that the TrainJob asks for, if it asks; 0 is a number. */
  static PodSet requested(PlanRequest request, PodSet podSet) {
    Integer numNodes = request.trainer().numNodes();
    return numNodes == null ? podSet : podSet.withCount(numNodes);
  }

  private NodeCount() {}
}
