package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;
import java.util.List;

/** What one kind of ML policy does to a plan. Stateless. */
interface MlPlugin {

  /** Whether it has a part in runtimes with this policy, which may be null. */
  boolean handles(MLPolicy policy);

  /** What of the TrainJob it can't work with; asked before {@link #apply}. */
  List<Refusal> validate(PlanRequest request, RuntimePlan plan);

  /** The plan with this policy's values in it. */
  RuntimePlan apply(PlanRequest request, RuntimePlan plan);
}
