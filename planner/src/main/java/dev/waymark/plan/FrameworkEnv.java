package dev.waymark.plan;

import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * How frameworks that meet at rank 0 get their variables. Its address knows the job's own name and
 * subdomain; upstream v2.3 writes {@code <TrainJob>-node-0-0.<TrainJob>} whatever they are.
 */
final class FrameworkEnv {

  static EnvVar variable(String name, String value) {
    return new EnvVarBuilder().withName(name).withValue(value).build();
  }

  /** A variable that holds the pod's rank. */
  static EnvVar rank(String name) {
    return new EnvVarBuilder()
        .withName(name)
        .withNewValueFrom()
        .withNewFieldRef()
        .withFieldPath(TrainerApi.COMPLETION_INDEX_FIELD_PATH)
        .endFieldRef()
        .endValueFrom()
        .build();
  }

  /** Pods of the first trainer job; 1 if nothing trains. */
  static int nodes(RuntimePlan plan) {
    return plan.trainer().map(PodSet::count).orElse(1);
  }

  /** The host name of rank 0. */
  static String firstNode(RuntimePlan plan) {
    return plan.host(plan.trainer().map(PodSet::name).orElse(TrainerApi.NODE), 0, 0);
  }

  /** The plan with the number of nodes that the TrainJob asks for, if it asks; 0 is a number. */
  static RuntimePlan withNodes(PlanRequest request, RuntimePlan plan) {
    Integer numNodes = request.trainer().numNodes();
    return numNodes == null ? plan : withTrainer(plan, podSet -> podSet.withCount(numNodes));
  }

  /** The plan with variables in the container that trains. */
  static RuntimePlan withEnv(RuntimePlan plan, List<EnvVar> env) {
    return withTrainer(
        plan,
        podSet -> podSet.withContainer(TrainerApi.NODE, node -> ContainerEdits.withEnv(node, env)));
  }

  /** The plan with the port of rank 0 open. */
  static RuntimePlan withPort(RuntimePlan plan) {
    return withTrainer(
        plan,
        podSet ->
            podSet.withContainer(
                TrainerApi.NODE,
                node -> ContainerEdits.withTcpPort(node, TrainerApi.TRAINER_PORT)));
  }

  /** Refuses variables of the TrainJob that the plugin sets itself. */
  static List<Refusal> refuseReserved(PlanRequest request, Set<String> reserved, String policy) {
    Set<String> taken = new TreeSet<>();
    request.env().forEach(variable -> taken.add(variable.getName()));
    taken.retainAll(reserved);
    if (taken.isEmpty()) {
      return List.of();
    }
    String names = String.join(", ", taken);
    return List.of(
        request.forbid(
            "spec.trainer.env", names + ": set by the " + policy + " policy, leave them out"));
  }

  private static RuntimePlan withTrainer(RuntimePlan plan, UnaryOperator<PodSet> change) {
    return plan.trainer().map(first -> plan.withPodSet(first.name(), change)).orElse(plan);
  }

  private FrameworkEnv() {}
}
