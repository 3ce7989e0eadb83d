package dev.waymark.plan;

import dev.waymark.trainer.api.TrainerApi;
import java.util.List;
import java.util.Set;

/**
 * The variables of JAX's distributed runtime. They are reserved: upstream v2.3 lets a TrainJob set
 * them (kubeflow/trainer#3669), and its processes then wait for each other for ever.
 */
final class JaxPlugin implements PlanPlugin {

  private static final String NUM_PROCESSES = "JAX_NUM_PROCESSES";
  private static final String PROCESS_ID = "JAX_PROCESS_ID";
  private static final String COORDINATOR_ADDRESS = "JAX_COORDINATOR_ADDRESS";
  private static final Set<String> RESERVED =
      Set.of(NUM_PROCESSES, PROCESS_ID, COORDINATOR_ADDRESS);

  @Override
  public boolean handles(PlanRequest request) {
    return request.policy() != null && request.policy().jax() != null;
  }

  @Override
  public List<Refusal> validate(PlanRequest request, RuntimePlan plan) {
    return FrameworkEnv.refuseReserved(request, RESERVED, "jax");
  }

  @Override
  public RuntimePlan apply(PlanRequest request, RuntimePlan plan) {
    RuntimePlan sized = FrameworkEnv.withNodes(request, plan);
    String coordinator = FrameworkEnv.firstNode(sized) + ":" + TrainerApi.TRAINER_PORT;
    return FrameworkEnv.withPort(
        FrameworkEnv.withEnv(
            sized,
            List.of(
                FrameworkEnv.variable(NUM_PROCESSES, String.valueOf(FrameworkEnv.nodes(sized))),
                FrameworkEnv.rank(PROCESS_ID),
                FrameworkEnv.variable(COORDINATOR_ADDRESS, coordinator))));
  }
}
