package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.MLPolicy.Target;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The variables by which {@code torchrun} finds the other nodes. Differs from upstream v2.3 where
 * that is wrong: they are there when {@code spec.trainer} is absent (kubeflow/trainer#4076), the
 * number of processes counts the runtime's resources too (#3974), and the address of rank 0 knows
 * the job's own name and subdomain.
 */
final class TorchPlugin implements MlPlugin {

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
  public boolean handles(MLPolicy policy) {
    return policy != null && policy.torch() != null;
  }

  @Override
  public List<Refusal> validate(PlanRequest request, RuntimePlan plan) {
    List<Refusal> refusals = new ArrayList<>();
    refuseReservedNames(request, refusals);
    refuseWrongTargets(request, plan, refusals);
    if (TORCHTUNE.equals(request.trainer().command())) {
      refusals.add(
          request.refuseJob("spec.trainer.command", "this version does not run torchtune"));
    }
    return refusals;
  }

  @Override
  public RuntimePlan apply(PlanRequest request, RuntimePlan plan) {
    RuntimePlan changed =
        plan.trainer()
            .map(first -> plan.withPodSet(first.name(), set -> NodeCount.requested(request, set)))
            .orElse(plan);
    List<EnvVar> env = rendezvous(request, changed);
    RuntimePlan trained =
        changed
            .trainer()
            .map(first -> changed.withPodSet(first.name(), set -> train(request, set, env)))
            .orElse(changed);
    return inject(request, trained, env);
  }

  private static PodSet train(PlanRequest request, PodSet podSet, List<EnvVar> env) {
    return podSet.withContainer(
        TrainerApi.NODE,
        node -> {
          Container own = ContainerEdits.withEnv(node, request.trainer().env());
          return ContainerEdits.withPort(
              ContainerEdits.withEnv(own, env),
              new ContainerPortBuilder().withContainerPort(TrainerApi.TRAINER_PORT).build());
        });
  }

  private static RuntimePlan inject(PlanRequest request, RuntimePlan plan, List<EnvVar> env) {
    RuntimePlan injected = plan;
    for (Target target : targets(request)) {
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
    PodSet first = plan.trainer().orElse(null);
    int nodes = first == null ? 1 : first.count();
    String address = plan.host(first == null ? TrainerApi.NODE : first.name(), 0, 0);
    return List.of(
        variable(NNODES, String.valueOf(nodes)),
        variable(NPROC_PER_NODE, processes(request, plan)),
        new EnvVarBuilder()
            .withName(NODE_RANK)
            .withNewValueFrom()
            .withNewFieldRef()
            .withFieldPath(TrainerApi.COMPLETION_INDEX_FIELD_PATH)
            .endFieldRef()
            .endValueFrom()
            .build(),
        variable(MASTER_ADDR, address),
        variable(MASTER_PORT, String.valueOf(TrainerApi.TRAINER_PORT)));
  }

  /**
   * What the TrainJob says; else one process a GPU, which torchrun itself counts ({@code auto});
   * else one a CPU, because torchrun would count those of the whole machine.
   */
  private static String processes(PlanRequest request, RuntimePlan plan) {
    if (request.trainer().numProcPerNode() != null) {
      return String.valueOf(request.trainer().numProcPerNode());
    }
    ResourceRequirements resources =
        plan.podSets().stream()
            .filter(podSet -> podSet.isTrainer() || podSet.name().equals(TrainerApi.NODE))
            .findFirst()
            .flatMap(podSet -> podSet.container(TrainerApi.NODE))
            .map(Container::getResources)
            .orElseGet(ResourceRequirements::new);
    return NodeResources.gpus(resources) > 0
        ? "auto"
        : String.valueOf(Math.max(1, NodeResources.cpus(resources)));
  }

  private static void refuseReservedNames(PlanRequest request, List<Refusal> refusals) {
    Set<String> taken = new TreeSet<>();
    if (request.trainer().env() != null) {
      request.trainer().env().forEach(variable -> taken.add(variable.getName()));
    }
    taken.retainAll(RESERVED);
    if (!taken.isEmpty()) {
      refusals.add(
          request.refuseJob(
              "spec.trainer.env",
              String.join(", ", taken) + ": set by the torch policy, leave them out"));
    }
  }

  private static void refuseWrongTargets(
      PlanRequest request, RuntimePlan plan, List<Refusal> refusals) {
    Set<String> jobs = new HashSet<>();
    for (Target target : targets(request)) {
      String job = "job " + target.jobName();
      if (!jobs.add(target.jobName())) {
        refusals.add(request.refuseRuntime(TARGETS, job + " stands twice: put them into one"));
      }
      for (String container : containers(target)) {
        if (container.equals(TrainerApi.NODE)) {
          refusals.add(
              request.refuseRuntime(TARGETS, "container node has the variables without that"));
        } else if (plan.podSet(target.jobName()).filter(it -> has(it, container)).isEmpty()) {
          refusals.add(
              request.refuseRuntime(
                  TARGETS, job + " with container " + container + " is not in the template"));
        }
      }
      if (containers(target).isEmpty()) {
        refusals.add(request.refuseRuntime(TARGETS, job + " names no containers"));
      }
    }
  }

  private static boolean has(PodSet podSet, String container) {
    return podSet.container(container).isPresent() || podSet.initContainer(container).isPresent();
  }

  private static List<Target> targets(PlanRequest request) {
    MLPolicy.EnvInjection injection = request.policy().torch().envInjection();
    return injection == null || injection.targets() == null ? List.of() : injection.targets();
  }

  private static List<String> containers(Target target) {
    return target.containerNames() == null ? List.of() : target.containerNames();
  }

  private static EnvVar variable(String name, String value) {
    return new EnvVarBuilder().withName(name).withValue(value).build();
  }
}
