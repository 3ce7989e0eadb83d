package dev.waymark.plan;

import dev.waymark.trainer.api.RuntimeResource;
import java.util.List;

/** One thing that becomes part of a plan, such as what an ML policy asks for. Stateless. */
interface PlanPlugin {

  /** Whether it has a part in this plan. */
  boolean handles(PlanRequest request);

  /** What an API server with this CRD refuses in a runtime of its policy. */
  default List<Refusal> checkRuntime(RuntimeResource runtime) {
    return List.of();
  }

  /**
   * What an admission webhook refuses in a TrainJob, although a plan could be made of it.
   *
   * @param plan the patched template, before any plugin
   */
  default List<Refusal> validate(PlanRequest request, RuntimePlan plan) {
    return List.of();
  }

  /**
   * What no plan can be made of; refused at admission too.
   *
   * @param plan the patched template, before any plugin
   */
  default List<Refusal> obstacles(PlanRequest request, RuntimePlan plan) {
    return List.of();
  }

  /** The plan with its values in it. */
  RuntimePlan apply(PlanRequest request, RuntimePlan plan);
}
