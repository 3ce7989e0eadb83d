package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.MLPolicy.Target;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The variables by which {@code torchrun} finds the other nodes. Differs from upstream v2.3 where
 * that is wrong: they are there when {@code spec.trainer} is absent (kubeflow/trainer#4076), and
 * the number of processes counts the runtime's resources too (#3974).
 */
final class TorchPlugin implements PlanPlugin {

  private static final String NNODES = "PET_NNODES";
  private static final String NPROC_PER_NODE = "PET_NPROC_PER_NODE";
  private static final String NODE_RANK = "PET_NODE_RANK";
  private static final String MASTER_ADDR = "PET_MASTER_ADDR";
  private static final String MASTER_PORT = "PET_MASTER_PORT";
  private static final Set<String> RESERVED =
      Set.of(NNODES, NPROC_PER_NODE, NODE_RANK, MASTER_ADDR, MASTER_PORT);

  private static final String TARGETS = "spec.mlPolicy.torch.envInjection.targets";

  private static final List<String> TORCHTUNE = List.of("tune", "run");

  @Override
  public boolean handles(PlanRequest request) {
    return request.policy() != null && request.policy().torch() != null;
  }

  @Override
  public List<Refusal> checkRuntime(RuntimeResource runtime) {
    List<Refusal> refusals = new ArrayList<>();
    Set<String> jobs = new HashSet<>();
    List<Target> targets = targets(runtime);
    for (int i = 0; i < targets.size(); i++) {
      String path = TARGETS + "[" + i + "]";
      Target target = targets.get(i);
      if (!jobs.add(target.jobName())) {
        refusals.add(
            RuntimeRules.invalid(
                runtime, path, "job " + target.jobName() + " stands twice: put them into one"));
      }
      if (containers(target).isEmpty()) {
        refusals.add(
            RuntimeRules.invalid(
                runtime, path + ".containerNames", "is empty: name the containers"));
      } else if (containers(target).contains(TrainerApi.NODE)) {
        refusals.add(
            RuntimeRules.invalid(
                runtime,
                path + ".containerNames",
                "container node has the variables without that"));
      }
    }
    return refusals;
  }

  @Override
  public List<Refusal> validate(PlanRequest request, RuntimePlan plan) {
    return FrameworkEnv.refuseReserved(request, RESERVED, "torch");
  }

  @Override
  public List<Refusal> obstacles(PlanRequest request, RuntimePlan plan) {
    List<Refusal> refusals = new ArrayList<>();
    List<Target> targets = targets(request.runtime());
    for (int i = 0; i < targets.size(); i++) {
      Target target = targets.get(i);
      for (String container : containers(target)) {
        if (plan.podSet(target.jobName()).filter(it -> has(it, container)).isEmpty()) {
          refusals.add(
              request.forbidRuntime(
                  TARGETS + "[" + i + "]",
                  "job "
                      + target.jobName()
                      + " with container "
                      + container
                      + " is not in the template"));
        }
      }
    }
    if (TORCHTUNE.equals(request.trainer().command())) {
      refusals.add(request.forbid("spec.trainer.command", "this version does not run torchtune"));
    }
    return refusals;
  }

  @Override
  public RuntimePlan apply(PlanRequest request, RuntimePlan plan) {
    RuntimePlan sized = FrameworkEnv.withNodes(request, plan);
    List<EnvVar> env = rendezvous(request, sized);
    RuntimePlan trained = FrameworkEnv.withEnv(FrameworkEnv.withEnv(sized, request.env()), env);
    return inject(request, FrameworkEnv.withPort(trained), env);
  }

  private static RuntimePlan inject(PlanRequest request, RuntimePlan plan, List<EnvVar> env) {
    RuntimePlan injected = plan;
    for (Target target : targets(request.runtime())) {
      for (String container : containers(target)) {
        injected =
            injected.withPodSet(
                target.jobName(),
                podSet ->
                    podSet.container(container).isPresent()
                        ? podSet.withContainer(container, it -> ContainerEdits.withEnv(it, env))
                        : podSet.withInitContainer(
                            container, it -> ContainerEdits.withEnv(it, env)));
      }
    }
    return injected;
  }

  private static List<EnvVar> rendezvous(PlanRequest request, RuntimePlan plan) {
    return List.of(
        FrameworkEnv.variable(NNODES, String.valueOf(FrameworkEnv.nodes(plan))),
        FrameworkEnv.variable(NPROC_PER_NODE, processes(request, plan)),
        FrameworkEnv.rank(NODE_RANK),
        FrameworkEnv.variable(MASTER_ADDR, FrameworkEnv.firstNode(plan)),
        FrameworkEnv.variable(MASTER_PORT, String.valueOf(TrainerApi.TRAINER_PORT)));
  }

  /**
   * What the TrainJob says; else one process a GPU, which torchrun itself counts ({@code auto});
   * else one a CPU, because torchrun would count those of the whole machine.
   */
  private static String processes(PlanRequest request, RuntimePlan plan) {
    if (request.trainer().numProcPerNode() != null) {
      return String.valueOf(request.trainer().numProcPerNode());
    }
    ResourceRequirements resources = NodeResources.ofNode(plan);
    return NodeResources.gpus(resources) > 0
        ? "auto"
        : String.valueOf(Math.max(1, NodeResources.cpus(resources)));
  }

  private static boolean has(PodSet podSet, String container) {
    return podSet.container(container).isPresent() || podSet.initContainer(container).isPresent();
  }

  private static List<Target> targets(RuntimeResource runtime) {
    MLPolicy policy = runtime.getSpec().mlPolicy();
    boolean injects =
        policy != null
            && policy.torch() != null
            && policy.torch().envInjection() != null
            && policy.torch().envInjection().targets() != null;
    return injects ? policy.torch().envInjection().targets() : List.of();
  }

  private static List<String> containers(Target target) {
    return target.containerNames() == null ? List.of() : target.containerNames();
  }
}
