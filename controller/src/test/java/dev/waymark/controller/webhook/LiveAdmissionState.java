package dev.waymark.controller.webhook;

import dev.waymark.plan.ClusterSettings;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** Asks the API server each time, and knows of no snapshots. */
record LiveAdmissionState(KubernetesClient client) implements AdmissionState {

  @Override
  public Optional<RuntimeResource> runtime(TrainJob trainJob) {
    String name = trainJob.getSpec().runtimeRef().name();
    return switch (trainJob.getSpec().runtimeRef().effectiveKind()) {
      case "TrainingRuntime" ->
          Optional.ofNullable(
              client
                  .resources(TrainingRuntime.class)
                  .inNamespace(trainJob.getMetadata().getNamespace())
                  .withName(name)
                  .get());
      case "ClusterTrainingRuntime" ->
          Optional.ofNullable(client.resources(ClusterTrainingRuntime.class).withName(name).get());
      default -> Optional.empty();
    };
  }

  @Override
  public Optional<RuntimeResource> runtimeOfStored(TrainJob trainJob) {
    return runtime(trainJob);
  }

  @Override
  public Optional<JobSet> jobSet(TrainJob trainJob) {
    return Optional.empty();
  }

  @Override
  public ClusterSettings settings() {
    return ClusterSettings.NONE;
  }
}
