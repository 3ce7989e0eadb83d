package dev.waymark.status;

import static java.util.Objects.requireNonNull;

import dev.waymark.trainer.api.TrainerStatus;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A sink without a cluster: knows a fixed set of TrainJobs, refuses what the API server would
 * refuse and hands each accepted status to a listener. Safe for use by several threads if the
 * listener is.
 */
public final class InMemoryStatusSink implements StatusSink {

  private final Set<TrainJobKey> trainJobs;
  private final Clock clock;
  private final Consumer<Report> listener;

  /**
   * A status that was accepted.
   *
   * @param receivedAt when it reached the sink
   */
  public record Report(TrainJobKey trainJob, TrainerStatus status, Instant receivedAt) {}

  /**
   * Makes a sink.
   *
   * @param trainJobs those that exist; reports for any other are "not found"
   * @param clock tells when a report was received
   * @param listener gets each accepted status, in the order of acceptance, on the thread that
   *     writes: the server's event loop. It should be quick. If it throws, the report is answered
   *     with 500.
   */
  public InMemoryStatusSink(Set<TrainJobKey> trainJobs, Clock clock, Consumer<Report> listener) {
    this.trainJobs = Set.copyOf(trainJobs);
    this.clock = requireNonNull(clock, "clock");
    this.listener = requireNonNull(listener, "listener");
  }

  @Override
  public CompletionStage<Outcome> write(TrainJobKey trainJob, TrainerStatus status) {
    return CompletableFuture.completedFuture(accept(trainJob, status));
  }

  private Outcome accept(TrainJobKey trainJob, TrainerStatus status) {
    if (!trainJobs.contains(trainJob)) {
      return new Outcome.TrainJobNotFound();
    }
    Optional<String> violation = TrainerStatusLimits.violation(trainJob.name(), status);
    if (violation.isPresent()) {
      return new Outcome.Invalid(violation.get());
    }
    listener.accept(new Report(trainJob, status, clock.instant()));
    return new Outcome.Written();
  }
}
