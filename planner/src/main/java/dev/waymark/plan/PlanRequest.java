package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.Trainer;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import java.util.List;
import java.util.Map;

/**
 * A TrainJob, the runtime that it names, and the cluster that it is for.
 *
 * @param settings null for a plan that is for no cluster
 */
record PlanRequest(TrainJob job, RuntimeResource runtime, ClusterSettings settings) {

  private static final Trainer NO_TRAINER =
      new Trainer(null, null, null, null, null, null, null, Map.of());

  PlanRequest(TrainJob job, RuntimeResource runtime) {
    this(job, runtime, null);
  }

  /**
   * What the TrainJob changes in the trainer container. An absent {@code spec.trainer} is an empty
   * one: upstream v2.3 gives such a TrainJob no variables of its framework (kubeflow/trainer#4076),
   * although it starts the same number of nodes.
   */
  Trainer trainer() {
    Trainer trainer = job.getSpec().trainer();
    return trainer == null ? NO_TRAINER : trainer;
  }

  /** The variables that the TrainJob sets in the trainer container; may be empty. */
  List<EnvVar> env() {
    return handedOn(trainer().env());
  }

  /**
   * Variables of a TrainJob as upstream hands them on: where one has both, its source counts and
   * its value doesn't, and a reference to a field of the pod is without its API version, which
   * there is only one of.
   *
   * @param env may be null
   */
  static List<EnvVar> handedOn(List<EnvVar> env) {
    return env == null ? List.of() : env.stream().map(PlanRequest::handedOn).toList();
  }

  private static EnvVar handedOn(EnvVar variable) {
    EnvVarSource source = variable.getValueFrom();
    if (source == null) {
      return variable;
    }
    EnvVarBuilder own = new EnvVarBuilder(variable).withValue(null);
    return source.getFieldRef() == null
        ? own.build()
        : own.editValueFrom()
            .editFieldRef()
            .withApiVersion(null)
            .endFieldRef()
            .endValueFrom()
            .build();
  }

  /** Null when the runtime has none. */
  MLPolicy policy() {
    return runtime.getSpec().mlPolicy();
  }

  /** What an admission webhook refuses in the TrainJob. */
  Refusal forbid(String field, String message) {
    return new Refusal(job.title(), Refusal.Kind.FORBIDDEN, field, message);
  }

  /** What the CRD refuses in the TrainJob. */
  Refusal invalid(String field, String message) {
    return new Refusal(job.title(), Refusal.Kind.INVALID, field, message);
  }

  /** What the TrainJob needs and its runtime doesn't have. */
  Refusal forbidRuntime(String field, String message) {
    return new Refusal(runtime.title(), Refusal.Kind.FORBIDDEN, field, message);
  }
}
