package dev.waymark.plan;

/** A ConfigMap in the place of a TrainJob's snapshot that keeps no runtime for it. */
public final class InvalidSnapshotException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  InvalidSnapshotException(String message) {
    super("invalid runtime snapshot: " + message);
  }
}
