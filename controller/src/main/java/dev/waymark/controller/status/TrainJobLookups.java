package dev.waymark.controller.status;

import dev.waymark.controller.kubernetes.TokenBucket;
import dev.waymark.status.TrainJobKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server for TrainJobs that the cache doesn't know. It may be behind, but somebody may
 * also name TrainJobs that are not there, so these questions have a small limit of their own and a
 * line with an end: however many come, the reports of known TrainJobs wait for none of them. Safe
 * for every thread.
 */
final class TrainJobLookups {

  private static final Logger log = LoggerFactory.getLogger(TrainJobLookups.class);

  /** Questions in line or under way; whoever came behind them would wait longer than clients do. */
  static final int MAX_OPEN = 50;

  /** No longer: a TrainJob may be made meanwhile, and the cache be behind for long. */
  private static final Duration KEPT = Duration.ofSeconds(1);

  private final StoredStatuses stored;
  private final RequestLimit limit;
  private final ScheduledExecutorService timer;
  private final Semaphore open = new Semaphore(MAX_OPEN);
  private final Map<TrainJobKey, CompletableFuture<Boolean>> asked = new ConcurrentHashMap<>();

  /**
   * Makes look-ups of which none has been asked.
   *
   * @param limit of the questions to the API server
   * @param timer runs what is due later; stays open
   */
  TrainJobLookups(StoredStatuses stored, TokenBucket limit, ScheduledExecutorService timer) {
    this.stored = stored;
    this.limit = new RequestLimit(limit, timer);
    this.timer = timer;
  }

  /**
   * Whether a TrainJob exists. All who ask for the same one get the same answer, for a second.
   *
   * @return empty when too many questions are open
   */
  Optional<CompletionStage<Boolean>> exists(TrainJobKey trainJob) {
    return Optional.ofNullable(asked.computeIfAbsent(trainJob, this::ask));
  }

  /** Null when too many questions are open, and then nothing is remembered. */
  @SuppressWarnings("FutureReturnValueIgnored") // whoever asked gets the failure
  private CompletableFuture<Boolean> ask(TrainJobKey trainJob) {
    if (!open.tryAcquire()) {
      return null;
    }
    CompletableFuture<Boolean> exists =
        limit
            .lineUp(false)
            .come()
            .thenCompose(turn -> stored.read(trainJob))
            .thenApply(Optional::isPresent);
    exists.whenComplete(
        (found, failure) -> {
          open.release();
          forgetLater(trainJob);
        });
    return exists;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // forgetting never fails
  private void forgetLater(TrainJobKey trainJob) {
    try {
      timer.schedule(() -> forget(trainJob), KEPT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("{}: the controller ends", trainJob);
    }
  }

  private void forget(TrainJobKey trainJob) {
    asked.remove(trainJob);
  }
}
