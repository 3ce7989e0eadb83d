package dev.waymark.controller.status;

import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.TokenBucket;
import dev.waymark.controller.status.StoredStatuses.InvalidStatusException;
import dev.waymark.controller.status.StoredStatuses.Stored;
import dev.waymark.status.StatusSink.Outcome;
import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.TrainerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports of one TrainJob on their way to the API server, one write at a time.
 *
 * <ul>
 *   <li>A report that comes when the last write is older than the spacing, while the limit has
 *       room, is written and then answered.
 *   <li>Any other becomes the newest one that waits, in the place of the one that waited before; it
 *       is answered at once and written when its time has come.
 *   <li>A last word is written before it is answered, at once; only last words that follow another
 *       within the spacing wait for it, and share a write.
 *   <li>Before a report that waited is written, the stored one is read: if another replica has
 *       written a last word or a later report, it is dropped. The write is bound to what was read.
 *   <li>What waits is tried again until it is written or overtaken, at longer and longer intervals.
 * </ul>
 */
final class ReportLane {

  private static final Logger log = LoggerFactory.getLogger(ReportLane.class);

  private static final long MAX_RETRY_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long FLUSH_RETRY_NANOS = Duration.ofMillis(200).toNanos();
  private static final int MAX_DOUBLINGS = 16;

  private final TrainJobKey trainJob;
  private final StoredStatuses stored;
  private final TokenBucket limit;
  private final long spacingNanos;
  private final ScheduledExecutorService timer;
  private final Runnable retirement;

  /** The newest report that waits, or null; answered already. */
  private TrainerStatus waiting;

  /** The newest last word that isn't written, or null, and those who wait for its answer. */
  private TrainerStatus lastWord;

  /** What waited when the last word came; has a say again only if that can't be written. */
  private TrainerStatus superseded;

  private final List<CompletableFuture<Outcome>> lastWordAnswers = new ArrayList<>();

  private boolean inFlight;
  private boolean wroteLastWord;
  private long lastWriteAt;
  private boolean everWritten;
  private int failures;
  private ScheduledFuture<?> wakeUp;
  private boolean retired;
  private final List<CompletableFuture<Void>> flushes = new ArrayList<>();
  private boolean flushing;

  ReportLane(
      TrainJobKey trainJob,
      StoredStatuses stored,
      TokenBucket limit,
      Duration spacing,
      ScheduledExecutorService timer,
      Runnable retirement) {
    this.trainJob = trainJob;
    this.stored = stored;
    this.limit = limit;
    this.spacingNanos = spacing.toNanos();
    this.timer = timer;
    this.retirement = retirement;
  }

  /** Takes a report; empty when the lane has been given up and another must be made. */
  Optional<CompletionStage<Outcome>> report(TrainerStatus report) {
    boolean isLastWord = Reports.isFinal(report);
    CompletableFuture<Outcome> answer;
    synchronized (this) {
      if (retired) {
        return Optional.empty();
      }
      if (isLastWord) {
        answer = new CompletableFuture<>();
        lastWord = report;
        lastWordAnswers.add(answer);
        superseded = waiting == null ? superseded : waiting;
        waiting = null;
      } else if (!inFlight
          && lastWord == null
          && waiting == null
          && isSpaced()
          && limit.tryTake()) {
        inFlight = true;
        answer = new CompletableFuture<>();
      } else {
        waiting = report;
        answer = null;
      }
    }
    if (answer != null && !isLastWord) {
      write(report, null)
          .whenComplete((outcome, failure) -> writtenThrough(answer, outcome, failure));
    } else {
      proceed();
    }
    return Optional.of(
        answer == null ? CompletableFuture.completedFuture(new Outcome.Written()) : answer);
  }

  private synchronized boolean isSpaced() {
    return !everWritten || System.nanoTime() - lastWriteAt >= spacingNanos;
  }

  private void writtenThrough(
      CompletableFuture<Outcome> answer, Outcome outcome, Throwable failure) {
    landed();
    settle(answer, outcome, failure);
    proceed();
  }

  /** Starts the next write if it is due, or sees to it that it will be. */
  private void proceed() {
    TrainerStatus next;
    boolean isLastWord;
    List<CompletableFuture<Outcome>> answers = List.of();
    synchronized (this) {
      if (inFlight || retired) {
        return;
      }
      isLastWord = lastWord != null;
      next = isLastWord ? lastWord : waiting;
      long wait = next == null ? untilIdle() : waitFor(isLastWord);
      if (wait > 0) {
        wakeUpIn(wait);
        return;
      }
      if (next == null) {
        retired = true;
        flushes.forEach(flush -> flush.complete(null));
      } else if (isLastWord) {
        inFlight = true;
        lastWord = null;
        answers = List.copyOf(lastWordAnswers);
        lastWordAnswers.clear();
      } else {
        inFlight = true;
        waiting = null;
      }
    }
    if (next == null) {
      retirement.run();
    } else if (isLastWord) {
      writeLastWord(next, answers);
    } else {
      writeWaiting(next);
    }
  }

  /** How long the lane is kept after its last write, so that the spacing holds. */
  private long untilIdle() {
    return everWritten && !flushing ? lastWriteAt + spacingNanos - System.nanoTime() : 0;
  }

  private long waitFor(boolean isLastWord) {
    if (!everWritten || (isLastWord && !wroteLastWord)) {
      return 0;
    }
    long interval = spacingNanos;
    if (flushing) {
      interval = failures * FLUSH_RETRY_NANOS;
    } else if (!isLastWord) {
      interval = Math.min(MAX_RETRY_NANOS, spacingNanos << Math.min(failures, MAX_DOUBLINGS));
    }
    return lastWriteAt + interval - System.nanoTime();
  }

  private void wakeUpIn(long nanos) {
    if (wakeUp != null && !wakeUp.isDone()) {
      if (wakeUp.getDelay(TimeUnit.NANOSECONDS) <= nanos) {
        return;
      }
      wakeUp.cancel(false);
    }
    try {
      wakeUp = timer.schedule(this::awake, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("{}: the controller ends", trainJob);
    }
  }

  private void awake() {
    synchronized (this) {
      wakeUp = null;
    }
    proceed();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the answers get the failure
  private void writeLastWord(TrainerStatus report, List<CompletableFuture<Outcome>> answers) {
    limit
        .take()
        .thenCompose(nothing -> write(report, null))
        .whenComplete(
            (outcome, failure) -> {
              lastWordSaid(failure == null);
              answers.forEach(answer -> settle(answer, outcome, failure));
              proceed();
            });
  }

  private synchronized void lastWordSaid(boolean written) {
    inFlight = false;
    wroteLastWord = written;
    if (!written && waiting == null) {
      waiting = superseded;
    }
    superseded = null;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // retryLater() gets the failure
  private void writeWaiting(TrainerStatus report) {
    limit
        .take()
        .thenCompose(nothing -> stored.read(trainJob))
        .thenCompose(found -> writeIfNewer(report, found))
        .whenComplete(
            (outcome, failure) -> {
              landed();
              if (failure == null) {
                allIsWell();
              } else {
                retryLater(report, ApiServer.cause(failure));
              }
              proceed();
            });
  }

  private CompletionStage<Outcome> writeIfNewer(TrainerStatus report, Optional<Stored> found) {
    if (found.isEmpty()) {
      return CompletableFuture.completedFuture(new Outcome.TrainJobNotFound());
    }
    if (Reports.isOvertaken(report, found.get().status())) {
      log.debug("{}: the stored report is newer than the one that waited", trainJob);
      return CompletableFuture.completedFuture(new Outcome.Written());
    }
    return limit.take().thenCompose(nothing -> write(report, found.get().resourceVersion()));
  }

  private synchronized void retryLater(TrainerStatus report, Throwable failure) {
    if (failure instanceof InvalidStatusException) {
      log.warn("{}: a report that was accepted is refused: {}", trainJob, failure.getMessage());
      return;
    }
    if (!(failure instanceof ConflictException)) {
      failures++;
      log.warn("{}: can't write its report, will try again: {}", trainJob, failure.toString());
    }
    if (waiting == null && lastWord == null) {
      waiting = report;
    }
  }

  /** One write, bound to a version of the TrainJob if that isn't null. */
  private CompletionStage<Outcome> write(TrainerStatus report, String resourceVersion) {
    synchronized (this) {
      lastWriteAt = System.nanoTime();
      everWritten = true;
      wroteLastWord = false;
    }
    return CompletableFuture.completedStage(report)
        .thenCompose(nothing -> stored.write(trainJob, report, resourceVersion))
        .thenApply(
            written ->
                switch (written) {
                  case DONE -> new Outcome.Written();
                  case NOT_FOUND -> new Outcome.TrainJobNotFound();
                  case CONFLICT -> throw new ConflictException();
                });
  }

  private synchronized void landed() {
    inFlight = false;
  }

  private synchronized void allIsWell() {
    failures = 0;
  }

  private void settle(CompletableFuture<Outcome> answer, Outcome outcome, Throwable failure) {
    Throwable cause = ApiServer.cause(failure);
    if (cause == null) {
      allIsWell();
    }
    if (cause instanceof InvalidStatusException invalid) {
      answer.complete(new Outcome.Invalid(invalid.getMessage()));
    } else if (cause != null) {
      answer.completeExceptionally(cause);
    } else {
      answer.complete(outcome);
    }
  }

  /** Whether something is answered and not yet written. */
  synchronized boolean isWaiting() {
    return waiting != null;
  }

  /** Writes at once what waits; completes when nothing does. */
  CompletableFuture<Void> flush() {
    CompletableFuture<Void> flush = new CompletableFuture<>();
    synchronized (this) {
      if (retired) {
        return CompletableFuture.completedFuture(null);
      }
      flushing = true;
      flushes.add(flush);
    }
    proceed();
    return flush;
  }

  /** The TrainJob changed after it was read; to be read again. */
  private static final class ConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConflictException() {
      super("the TrainJob changed meanwhile", null, false, false);
    }
  }
}
