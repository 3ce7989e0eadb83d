package dev.waymark.client;

/**
 * What runs in a cluster.
 *
 * @param kubernetes such as {@code v1.34.1}
 * @param trainer of the Trainer API's controller, as it says itself; empty if it doesn't say
 * @param waymark of Waymark's controller; empty where another does its work
 * @param progress whether TrainJobs are told where to report their progress
 * @param evidence how that was found out, for people
 */
public record ClusterVersion(
    String kubernetes, String trainer, String waymark, Progress progress, String evidence) {

  /** The feature gate {@code TrainJobStatus}, as far as it shows from outside. */
  public enum Progress {
    ON,
    OFF,
    /** There is nothing yet to see it by, or it may not be seen. */
    UNKNOWN
  }
}
