package dev.waymark.controller.status;

import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.TrainerStatus;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The trainer statuses that the cluster holds. All calls come back at once; stages that fail mean
 * that the cluster could not be asked, or answered with something else than what is told here.
 */
interface StoredStatuses {

  /**
   * A status with the version of its TrainJob.
   *
   * @param status null when there is none yet
   */
  record Stored(TrainerStatus status, String resourceVersion) {}

  /** How a write went. */
  enum Written {
    DONE,
    /** Somebody else changed the TrainJob after it was read. */
    CONFLICT,
    NOT_FOUND
  }

  /** A status that the cluster refuses; the message is the API server's. */
  final class InvalidStatusException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidStatusException(String message) {
      super(message);
    }
  }

  /** Whether a TrainJob is known without asking the API server. */
  boolean isCached(TrainJobKey trainJob);

  /** Reads from the API server itself; empty when there is no such TrainJob. */
  CompletionStage<Optional<Stored>> read(TrainJobKey trainJob);

  /**
   * Replaces the status.
   *
   * @param resourceVersion of the TrainJob that must still be the current one; null: of any
   * @return fails with {@link InvalidStatusException} when the cluster refuses the status
   */
  CompletionStage<Written> write(
      TrainJobKey trainJob, TrainerStatus status, String resourceVersion);
}
