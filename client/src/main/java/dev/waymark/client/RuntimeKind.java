package dev.waymark.client;

/** The scope of a runtime. */
public enum RuntimeKind {
  /** For the TrainJobs of every namespace. */
  CLUSTER_TRAINING_RUNTIME("ClusterTrainingRuntime"),
  /** For the TrainJobs of its own namespace. */
  TRAINING_RUNTIME("TrainingRuntime");

  private final String kind;

  RuntimeKind(String kind) {
    this.kind = kind;
  }

  /** As {@code spec.runtimeRef.kind} says it. */
  public String kind() {
    return kind;
  }
}
