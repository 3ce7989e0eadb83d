package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.Trainer;
import java.util.Map;

/** A TrainJob and the runtime that it names. */
record PlanRequest(TrainJob job, RuntimeResource runtime) {

  private static final Trainer NO_TRAINER =
      new Trainer(null, null, null, null, null, null, null, Map.of());

  /**
   * What the TrainJob changes in the trainer container. An absent {@code spec.trainer} is an empty
   * one: upstream v2.3 gives such a TrainJob no variables of its framework (kubeflow/trainer#4076),
   * although it starts the same number of nodes.
   */
  Trainer trainer() {
    Trainer trainer = job.getSpec().trainer();
    return trainer == null ? NO_TRAINER : trainer;
  }

  /** Null when the runtime has none. */
  MLPolicy policy() {
    return runtime.getSpec().mlPolicy();
  }

  Refusal refuseJob(String field, String message) {
    return new Refusal(job.title(), field, message);
  }

  Refusal refuseRuntime(String field, String message) {
    return new Refusal(runtime.title(), field, message);
  }
}
