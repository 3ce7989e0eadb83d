package dev.waymark.plan;

import io.fabric8.kubernetes.api.model.ResourceRequirements;

/**
 * What a cluster adds to a plan, beside the TrainJob and its runtime.
 *
 * @param progress where training programs report to; null when the cluster takes no reports
 * @param agent how the agent comes into pods; null when the operator has configured none
 */
public record ClusterSettings(Progress progress, AgentInjection agent) {

  /** A cluster that adds nothing. */
  public static final ClusterSettings NONE = new ClusterSettings(null, null);

  /**
   * The status server.
   *
   * @param server its URL without a path, such as {@code https://waymark.waymark-system.svc:10443}
   * @param caCertificate the certificates that it is trusted by, as PEM
   */
  public record Progress(String server, String caCertificate) {}

  /**
   * The image that carries the agent.
   *
   * @param image its entry point copies {@code waymark-agent.jar}, which lies in its root, into the
   *     directory that is its only argument
   * @param mounted whether pods mount the image itself, in clusters that have image volumes; else
   *     an init container runs it
   * @param resources of the init container; or null
   */
  public record AgentInjection(String image, boolean mounted, ResourceRequirements resources) {}
}
