package dev.waymark.plan;

import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The variables by which distributed XGBoost finds its tracker. */
final class XGBoostPlugin implements PlanPlugin {

  private static final String TRACKER_URI = "DMLC_TRACKER_URI";
  private static final String TRACKER_PORT = "DMLC_TRACKER_PORT";
  private static final String TASK_ID = "DMLC_TASK_ID";
  private static final String NUM_WORKER = "DMLC_NUM_WORKER";
  private static final Set<String> RESERVED =
      Set.of(TRACKER_URI, TRACKER_PORT, TASK_ID, NUM_WORKER);

  @Override
  public boolean handles(PlanRequest request) {
    return request.policy() != null && request.policy().xgboost() != null;
  }

  /** One refusal a variable, as upstream has it. */
  @Override
  public List<Refusal> validate(PlanRequest request, RuntimePlan plan) {
    List<EnvVar> env = request.env();
    List<Refusal> refusals = new ArrayList<>();
    for (int i = 0; i < env.size(); i++) {
      String name = env.get(i).getName();
      if (RESERVED.contains(name)) {
        refusals.add(
            request.forbid(
                "spec.trainer.env[" + i + "]", name + ": set by the xgboost policy, leave it out"));
      }
    }
    return refusals;
  }

  @Override
  public RuntimePlan apply(PlanRequest request, RuntimePlan plan) {
    RuntimePlan sized = FrameworkEnv.withNodes(request, plan);
    return FrameworkEnv.withPort(
        FrameworkEnv.withEnv(
            sized,
            List.of(
                FrameworkEnv.variable(TRACKER_URI, FrameworkEnv.firstNode(sized)),
                FrameworkEnv.variable(TRACKER_PORT, String.valueOf(TrainerApi.TRAINER_PORT)),
                FrameworkEnv.rank(TASK_ID),
                FrameworkEnv.variable(NUM_WORKER, String.valueOf(workers(sized))))));
  }

  /** One worker a GPU, or one a node. */
  private static long workers(RuntimePlan plan) {
    return (long) FrameworkEnv.nodes(plan)
        * Math.max(1, NodeResources.gpus(NodeResources.ofNode(plan)));
  }
}
