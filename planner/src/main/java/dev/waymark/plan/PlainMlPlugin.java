package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;

/** Pods that know nothing of each other: the number of nodes and the user's environment. */
final class PlainMlPlugin implements PlanPlugin {

  /** Upstream's PlainML also has its part in runtimes for xgboost. */
  @Override
  public boolean handles(PlanRequest request) {
    MLPolicy policy = request.policy();
    return policy == null
        || (policy.torch() == null && policy.mpi() == null && policy.jax() == null);
  }

  @Override
  public RuntimePlan apply(PlanRequest request, RuntimePlan plan) {
    return FrameworkEnv.withEnv(FrameworkEnv.withNodes(request, plan), request.env());
  }
}
