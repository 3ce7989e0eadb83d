package dev.waymark.plan;

/**
 * One reason why an object can't be taken as it is, told to the person who wrote it.
 *
 * @param resource whose field it is, such as {@code TrainJob demo}
 * @param kind who refuses it in a cluster
 * @param field path of the field, such as {@code spec.trainer.env}
 * @param message what is wrong and what would be right
 */
public record Refusal(String resource, Kind kind, String field, String message) {

  /** Who refuses an object in a cluster, which clients see by the status code. */
  public enum Kind {
    /** An admission webhook. */
    FORBIDDEN(403),
    /** The schema of the CRD, in the API server itself. */
    INVALID(422);

    private final int status;

    Kind(int status) {
      this.status = status;
    }

    /** The HTTP status of the answer. */
    public int status() {
      return status;
    }
  }

  /** {@code TrainJob demo: spec.trainer.env: ...}. */
  @Override
  public String toString() {
    return resource + ": " + field + ": " + message;
  }
}
