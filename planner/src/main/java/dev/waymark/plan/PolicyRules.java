package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.PodGroupPolicy;
import dev.waymark.trainer.api.RuntimeResource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Which policies of a runtime exclude each other, and which this version runs. */
final class PolicyRules {

  /** What the CRD refuses. */
  static List<Refusal> check(RuntimeResource runtime) {
    MLPolicy policy = runtime.getSpec().mlPolicy();
    List<Refusal> refusals = new ArrayList<>();
    if (policy != null && frameworks(policy) > 1) {
      refusals.add(
          RuntimeRules.invalid(
              runtime, "spec.mlPolicy", "only one of the policies can be configured"));
    }
    PodGroupPolicy gangs = runtime.getSpec().podGroupPolicy();
    if (gangs != null
        && gangs.volcano() != null
        && gangs.volcano().networkTopology() != null
        && !Set.of("hard", "soft").contains(mode(gangs.volcano().networkTopology()))) {
      refusals.add(
          RuntimeRules.invalid(
              runtime,
              "spec.podGroupPolicy.volcano.networkTopology.mode",
              "\"" + mode(gangs.volcano().networkTopology()) + "\": hard or soft"));
    }
    return refusals;
  }

  /**
   * Policies that this version does not run: a TrainJob that needs them is refused, not ignored.
   */
  static List<Refusal> unsupported(RuntimeResource runtime) {
    List<Refusal> refusals = new ArrayList<>();
    MLPolicy policy = runtime.getSpec().mlPolicy();
    if (policy != null) {
      Set<String> names = new LinkedHashSet<>(policy.additionalProperties().keySet());
      addIfSet(names, "flux", policy.flux());
      names.forEach(
          name ->
              refusals.add(
                  forbid(
                      runtime,
                      "spec.mlPolicy." + name,
                      "this version runs plain, torch, mpi, jax and xgboost policies")));
    }
    PodGroupPolicy gangs = runtime.getSpec().podGroupPolicy();
    if (gangs != null) {
      Set<String> names = new LinkedHashSet<>(gangs.additionalProperties().keySet());
      addIfSet(names, "coscheduling", gangs.coscheduling());
      addIfSet(names, "volcano", gangs.volcano());
      names.forEach(
          name ->
              refusals.add(
                  forbid(
                      runtime,
                      "spec.podGroupPolicy." + name,
                      "this version schedules no gangs: take it out")));
    }
    return refusals;
  }

  private static long frameworks(MLPolicy policy) {
    long known =
        Stream.of(policy.torch(), policy.mpi(), policy.jax(), policy.xgboost(), policy.flux())
            .filter(it -> it != null)
            .count();
    return known + policy.additionalProperties().size();
  }

  private static String mode(PodGroupPolicy.NetworkTopology topology) {
    return topology.mode() == null ? "hard" : topology.mode();
  }

  private static void addIfSet(Set<String> names, String name, Object policy) {
    if (policy != null) {
      names.add(name);
    }
  }

  private static Refusal forbid(RuntimeResource runtime, String field, String message) {
    return new Refusal(runtime.title(), Refusal.Kind.FORBIDDEN, field, message);
  }

  private PolicyRules() {}
}
