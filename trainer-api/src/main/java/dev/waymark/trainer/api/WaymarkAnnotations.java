package dev.waymark.trainer.api;

/** The annotations that Waymark itself reads. This is the one place that knows their domain. */
public final class WaymarkAnnotations {

  private static final String DOMAIN = "waymark.dev";

  /**
   * On a TrainJob: the directory that stands in for the root of its image when it runs without a
   * cluster. A relative one counts from the file that holds the TrainJob.
   */
  public static final String LOCAL_ROOT = DOMAIN + "/local-root";

  /**
   * On a TrainJob or a runtime: {@code "true"} asks the controller to put the agent into the pods.
   */
  public static final String INJECT_AGENT = DOMAIN + "/inject-agent";

  private WaymarkAnnotations() {}
}
