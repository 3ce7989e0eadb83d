package dev.waymark.trainer.api;

/** What a TrainJob can name as its runtime: the same spec in two scopes. */
public abstract sealed class RuntimeResource extends TrainerResource<TrainingRuntimeSpec, Void>
    permits TrainingRuntime, ClusterTrainingRuntime {

  RuntimeResource() {
    super(TrainingRuntimeSpec.class, Void.class);
  }
}
