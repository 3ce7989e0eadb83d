package dev.waymark.status;

import static java.util.Objects.requireNonNull;

/**
 * Names one TrainJob.
 *
 * @param namespace never null
 * @param name never null
 */
public record TrainJobKey(String namespace, String name) {

  public TrainJobKey {
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
  }

  /** Path of the TrainJob's status endpoint, from the leading slash on. */
  public String statusPath() {
    return "/apis/" + audience();
  }

  /**
   * The audience that a token must have to report for this TrainJob: Kubeflow Trainer's formula,
   * the status path behind {@code /apis/}.
   */
  public String audience() {
    return "trainer.kubeflow.org/v1alpha1/namespaces/"
        + namespace
        + "/trainjobs/"
        + name
        + "/status";
  }

  /** {@code namespace/name}. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
