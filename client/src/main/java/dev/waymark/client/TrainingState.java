package dev.waymark.client;

/** How far a TrainJob has come, in the order in which states usually follow each other. */
public enum TrainingState {
  /** It is there, and no pod of it is. */
  CREATED("Created"),
  /** It is to have no pods now: somebody suspended it, or a queue holds it. */
  SUSPENDED("Suspended"),
  /** Some of its pods are there, and not all of them train. */
  PENDING("Pending"),
  /** All its nodes run, or have done their part. */
  RUNNING("Running"),
  /** It ended well. */
  COMPLETE("Complete"),
  /** It ended badly. */
  FAILED("Failed");

  private final String label;

  TrainingState(String label) {
    this.label = label;
  }

  /** As Kubeflow's clients write it. */
  public String label() {
    return label;
  }

  /** Whether nothing of the TrainJob will run any more. */
  public boolean isFinal() {
    return this == COMPLETE || this == FAILED;
  }

  @Override
  public String toString() {
    return label;
  }
}
