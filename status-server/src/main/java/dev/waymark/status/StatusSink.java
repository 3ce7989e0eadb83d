package dev.waymark.status;

import dev.waymark.trainer.api.TrainerStatus;
import java.util.concurrent.CompletionStage;

/** Where the status server puts a TrainJob's status. */
@FunctionalInterface
public interface StatusSink {

  /**
   * Replaces the whole {@code trainerStatus} of a TrainJob. Called on the server's event loop, so
   * it must not block; the answer waits for the returned stage.
   *
   * @param status what was reported, its time in whole seconds; null in it means "not reported".
   *     The sink checks its limits (see {@link TrainerStatusLimits}).
   * @return how it went. A stage that fails is answered with 500, and so is a call that throws.
   */
  CompletionStage<Outcome> write(TrainJobKey trainJob, TrainerStatus status);

  /** How a write went. */
  sealed interface Outcome {

    /** Answered with 200. */
    record Written() implements Outcome {}

    /** Answered with 404. */
    record TrainJobNotFound() implements Outcome {}

    /** Answered with 503: it could not be taken now, and may be sent again. */
    record Unavailable() implements Outcome {}

    /**
     * Answered with 422.
     *
     * @param message what is wrong, where, and what would be right; the client sees it
     */
    record Invalid(String message) implements Outcome {}
  }
}
