package dev.waymark.controller.webhook;

import dev.waymark.controller.reconcile.ClusterKnowledge;
import dev.waymark.plan.ClusterSettings;
import dev.waymark.plan.InvalidSnapshotException;
import dev.waymark.plan.RuntimeLookup;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import java.util.Optional;

/** What the reconcilers' caches tell, and the API server where they may be behind. */
final class KnownCluster implements AdmissionState {

  private final ClusterKnowledge knowledge;

  KnownCluster(ClusterKnowledge knowledge) {
    this.knowledge = knowledge;
  }

  @Override
  public Optional<RuntimeResource> runtime(TrainJob trainJob) {
    RuntimeRef ref = trainJob.getSpec().runtimeRef();
    return RuntimeLookup.isSupported(ref)
        ? knowledge.runtime(ref, trainJob.getMetadata().getNamespace())
        : Optional.empty();
  }

  @Override
  public Optional<RuntimeResource> runtimeOfStored(TrainJob trainJob) {
    try {
      Optional<RuntimeResource> snapshot = knowledge.snapshot(trainJob);
      return snapshot.isPresent() ? snapshot : runtime(trainJob);
    } catch (InvalidSnapshotException e) {
      // The reconciler says so in an event; the TrainJob can still be suspended and labelled.
      return Optional.empty();
    }
  }

  @Override
  public Optional<JobSet> jobSet(TrainJob trainJob) {
    return knowledge.jobSet(trainJob);
  }

  @Override
  public ClusterSettings settings() {
    return knowledge.settings();
  }
}
