package dev.waymark.client;

/**
 * What a look at one part of a cluster has shown.
 *
 * @param part of the cluster, for people
 * @param verdict how it is
 * @param message what was seen and, where it is not well, what would be right
 */
public record Finding(String part, Verdict verdict, String message) {

  /** How a part of a cluster is. */
  public enum Verdict {
    OK,
    /** TrainJobs run, but not as somebody may expect. */
    WARNING,
    /** TrainJobs can't run. */
    FAILURE,
    /** It may not be seen by the caller. */
    UNKNOWN
  }
}
