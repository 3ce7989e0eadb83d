package dev.waymark.controller.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.plan.Refusal;
import dev.waymark.plan.RuntimeValidator;
import dev.waymark.plan.TrainJobValidator;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides about TrainJobs. A new one is held against the runtime that it names; a change of one
 * that is stored against the runtime that it goes by, its snapshot, so that whoever edits or
 * deletes a runtime blocks no TrainJob (upstream: kubeflow/trainer#3923). A change that leaves the
 * training as it is is taken before anything is read.
 */
final class TrainJobWebhook implements Webhook {

  private final AdmissionState state;

  TrainJobWebhook(AdmissionState state) {
    this.state = state;
  }

  @Override
  public Decision review(AdmissionRequest request) throws UnreadableObjectException {
    if (request.leavesTrainingAsItIs()) {
      return Decision.ALLOWED;
    }
    TrainJob trainJob = read(request.object(), request.namespace());
    Optional<TrainJob> old = old(request);
    Optional<RuntimeResource> runtime =
        trainJob.getSpec() == null || trainJob.getSpec().runtimeRef() == null
            ? Optional.empty()
            : old.isPresent() ? state.runtimeOfStored(trainJob) : state.runtime(trainJob);
    List<Refusal> refusals =
        old.map(
                before ->
                    TrainJobValidator.update(
                        before,
                        trainJob,
                        runtime.orElse(null),
                        state.jobSet(trainJob).orElse(null),
                        state.settings()))
            .orElseGet(
                () -> TrainJobValidator.create(trainJob, runtime.orElse(null), state.settings()));
    List<String> warnings = new ArrayList<>();
    runtime.ifPresent(
        found -> {
          RuntimeValidator.warnings(found).forEach(it -> warnings.add("Referenced " + it));
          if (refusals.isEmpty()) {
            warnings.addAll(TrainJobValidator.warnings(trainJob, found));
          }
        });
    return Refusals.decide(refusals, warnings);
  }

  /** Empty for a new TrainJob, and for one that couldn't be read: its change may well mend it. */
  private static Optional<TrainJob> old(AdmissionRequest request) {
    if (request.oldObject() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(read(request.oldObject(), request.namespace()));
    } catch (UnreadableObjectException e) {
      return Optional.empty();
    }
  }

  private static TrainJob read(JsonNode json, String namespace) throws UnreadableObjectException {
    TrainJob trainJob = TypedObjects.read(json, TrainJob.class);
    trainJob.getMetadata().setNamespace(namespace);
    return trainJob;
  }
}
