package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.TrainerApi;
import java.util.List;

/** Pods that know nothing of each other: the number of nodes and the user's environment. */
final class PlainMlPlugin implements MlPlugin {

  /** Upstream's PlainML also has its part in runtimes for xgboost and flux. */
  @Override
  public boolean handles(MLPolicy policy) {
    return policy == null
        || (policy.torch() == null && policy.mpi() == null && policy.jax() == null);
  }

  @Override
  public List<Refusal> validate(PlanRequest request, RuntimePlan plan) {
    return List.of();
  }

  @Override
  public RuntimePlan apply(PlanRequest request, RuntimePlan plan) {
    return plan.trainer()
        .map(trainer -> plan.withPodSet(trainer.name(), podSet -> change(request, podSet)))
        .orElse(plan);
  }

  private static PodSet change(PlanRequest request, PodSet podSet) {
    return NodeCount.requested(request, podSet)
        .withContainer(
            TrainerApi.NODE, node -> ContainerEdits.withEnv(node, request.trainer().env()));
  }
}
