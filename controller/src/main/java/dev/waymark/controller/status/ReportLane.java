package dev.waymark.controller.status;

import dev.waymark.controller.kubernetes.ApiServer;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports of one TrainJob on their way to the API server, one request at a time.
 *
 * <ul>
 *   <li>A report that comes when the last attempt is older than the spacing, while the limit has
 *       room, is written and then answered.
 *   <li>Any other becomes the newest one that waits, in the place of the one that waited before; it
 *       is answered at once and written when its time has come.
 *   <li>A last word is written before it is answered, and goes first: before what waits here, and
 *       before all other TrainJobs' progress at the limit. Only last words in a row, with no
 *       progress between them, wait for the spacing, and share a write; one that ends another run
 *       waits for a tenth of it at most.
 *   <li>Before a report that waited is written, the stored one is read: if another replica has
 *       written a later report, or a last word of the same second, it is dropped. The write is
 *       bound to what was read.
 *   <li>What waits is tried again until it is written or overtaken. While the API server fails it
 *       is asked at longer and longer intervals, each counted from the end of the last attempt.
 * </ul>
 *
 * <p>Its lock guards its fields and is held across no request; it may be held while {@link
 * RequestLimit}'s is taken, never the other way round.
 */
final class ReportLane {

  private static final Logger log = LoggerFactory.getLogger(ReportLane.class);

  private final TrainJobKey trainJob;
  private final StoredStatuses stored;
  private final RequestLimit limit;
  private final Pace pace;
  private final ScheduledExecutorService timer;
  private final Runnable retirement;

  /** The newest report that is answered and not written, or null. */
  private TrainerStatus waiting;

  /** The one that waited and is being written, or null. */
  private TrainerStatus underWay;

  /** The newest last word that isn't written, or null, and those who wait for its answer. */
  private TrainerStatus lastWord;

  private final List<CompletableFuture<Outcome>> lastWordAnswers = new ArrayList<>();

  /** Whether there was progress since the last word that was written last. */
  private boolean progressed;

  /** What waited when the last word came; has a say again only if that can't be written. */
  private TrainerStatus superseded;

  /** A request is under way, or in line at the limit. */
  private boolean busy;

  /** The place in that line, or null. */
  private RequestLimit.Turn turn;

  private ScheduledFuture<?> wakeUp;
  private boolean retired;
  private final List<CompletableFuture<Void>> flushes = new ArrayList<>();

  ReportLane(
      TrainJobKey trainJob,
      StoredStatuses stored,
      RequestLimit limit,
      Duration spacing,
      ScheduledExecutorService timer,
      Runnable retirement) {
    this.trainJob = trainJob;
    this.stored = stored;
    this.limit = limit;
    this.pace = new Pace(spacing, System::nanoTime);
    this.timer = timer;
    this.retirement = retirement;
  }

  /** Takes a report; empty when the lane has been given up and another must be made. */
  Optional<CompletionStage<Outcome>> report(TrainerStatus report) {
    if (Reports.isFinal(report)) {
      return lastWord(report);
    }
    boolean writesThrough;
    synchronized (this) {
      if (retired) {
        return Optional.empty();
      }
      progressed = true;
      boolean isAlone = !busy && lastWord == null && waiting == null;
      writesThrough = isAlone && pace.untilProgress() <= 0 && limit.tryTake();
      if (writesThrough) {
        busy = true;
        pace.begins(false);
      } else {
        waiting = report;
      }
    }
    if (writesThrough) {
      return Optional.of(writeThrough(report));
    }
    proceed();
    return Optional.of(CompletableFuture.completedFuture(new Outcome.Written()));
  }

  private Optional<CompletionStage<Outcome>> lastWord(TrainerStatus report) {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    synchronized (this) {
      if (retired) {
        return Optional.empty();
      }
      lastWord = report;
      lastWordAnswers.add(answer);
      superseded = waiting == null ? superseded : waiting;
      waiting = null;
      if (turn != null) {
        turn.hurry();
      }
    }
    proceed();
    return Optional.of(answer);
  }

  /** Goes for the next request if it is due, or sees to it that it will be. */
  private void proceed() {
    boolean isIdle;
    synchronized (this) {
      if (busy || retired) {
        return;
      }
      isIdle = lastWord == null && waiting == null;
      // One that is idle is kept for a while, so that it knows when it last wrote.
      long wait = lastWord == null ? pace.untilProgress() : pace.untilLastWord(progressed);
      if (isIdle && !flushes.isEmpty()) {
        wait = 0;
      }
      if (wait > 0) {
        wakeUpIn(wait);
        return;
      }
      busy = !isIdle;
      retired = isIdle;
    }
    if (isIdle) {
      flushes.forEach(flush -> flush.complete(null));
      retirement.run();
    } else {
      lineUp(null);
    }
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

  /**
   * Stands in line for a request. What it will be is decided when it may be sent, since a last word
   * or a newer report may come until then.
   *
   * @param read the stored report, or null while it isn't read
   */
  @SuppressWarnings("FutureReturnValueIgnored") // both of its ends are seen to
  private void lineUp(Stored read) {
    RequestLimit.Turn next;
    synchronized (this) {
      next = limit.lineUp(lastWord != null);
      turn = next;
    }
    next.come()
        .whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                request(read);
              } else {
                takeLastWordAnswers().forEach(answer -> answer.completeExceptionally(failure));
              }
            });
  }

  private void request(Stored read) {
    TrainerStatus said;
    List<CompletableFuture<Outcome>> answers;
    synchronized (this) {
      turn = null;
      said = lastWord;
      lastWord = null;
      answers = takeLastWordAnswers();
      progressed = said == null && progressed;
      pace.begins(said != null);
    }
    if (said != null) {
      writeLastWord(said, answers);
    } else if (read == null) {
      readStored();
    } else {
      writeWaiting(read);
    }
  }

  private synchronized List<CompletableFuture<Outcome>> takeLastWordAnswers() {
    List<CompletableFuture<Outcome>> answers = List.copyOf(lastWordAnswers);
    lastWordAnswers.clear();
    return answers;
  }

  private CompletionStage<Outcome> writeThrough(TrainerStatus report) {
    return write(report, null)
        .whenComplete(
            (outcome, failure) -> {
              endTry(failure);
              proceed();
            })
        .exceptionally(ReportLane::refusal);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the answers get the failure
  private void writeLastWord(TrainerStatus report, List<CompletableFuture<Outcome>> answers) {
    write(report, null)
        .whenComplete(
            (outcome, failure) -> {
              synchronized (this) {
                endTry(failure);
                waiting = failure != null && waiting == null ? superseded : waiting;
                superseded = null;
              }
              proceed();
            })
        .exceptionally(ReportLane::refusal)
        .whenComplete((outcome, failure) -> answers.forEach(it -> complete(it, outcome, failure)));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // endTry() gets the failure
  private void readStored() {
    CompletableFuture.completedStage(trainJob)
        .thenCompose(stored::read)
        .whenComplete(
            (found, failure) -> {
              if (failure == null && isToBeWritten(found)) {
                lineUp(found.orElse(null));
              } else {
                endTry(failure);
                proceed();
              }
            });
  }

  /** Whether something is left to write over what is stored; if not, what waits is dropped. */
  private synchronized boolean isToBeWritten(Optional<Stored> found) {
    if (waiting != null
        && (found.isEmpty() || Reports.isOvertaken(waiting, found.get().status()))) {
      log.debug("{}: what waited is dropped, it is gone or told more by now", trainJob);
      waiting = null;
    }
    return waiting != null || lastWord != null;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // endTry() gets the failure
  private void writeWaiting(Stored read) {
    TrainerStatus report;
    synchronized (this) {
      // A later report may have an earlier time.
      report = isToBeWritten(Optional.of(read)) ? waiting : null;
      underWay = report;
      waiting = null;
    }
    if (report == null) {
      endTry(null);
      proceed();
      return;
    }
    write(report, read.resourceVersion())
        .whenComplete(
            (outcome, failure) -> {
              synchronized (this) {
                endTry(failure);
                keepWhatFailed(ApiServer.cause(failure));
              }
              proceed();
            });
  }

  private synchronized void keepWhatFailed(Throwable failure) {
    TrainerStatus report = underWay;
    underWay = null;
    if (failure instanceof InvalidStatusException) {
      log.warn("{}: a report that was accepted is refused: {}", trainJob, failure.getMessage());
    } else if (failure != null && lastWord != null) {
      superseded = superseded == null ? report : superseded;
    } else if (failure != null && waiting == null) {
      waiting = report;
    }
  }

  /** One write, bound to a version of the TrainJob if that isn't null. */
  private CompletionStage<Outcome> write(TrainerStatus report, String resourceVersion) {
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

  private synchronized void endTry(Throwable failure) {
    Throwable cause = ApiServer.cause(failure);
    busy = false;
    if (cause == null
        || cause instanceof InvalidStatusException
        || cause instanceof ConflictException) {
      pace.succeeded();
    } else {
      pace.failed();
      log.warn("{}: can't write its report: {}", trainJob, cause.toString());
    }
  }

  /** What the API server refuses for good is an answer, all else a failure. */
  private static Outcome refusal(Throwable failure) {
    if (ApiServer.cause(failure) instanceof InvalidStatusException invalid) {
      return new Outcome.Invalid(invalid.getMessage());
    }
    throw new CompletionException(ApiServer.cause(failure));
  }

  private static void complete(
      CompletableFuture<Outcome> answer, Outcome outcome, Throwable failure) {
    if (failure == null) {
      answer.complete(outcome);
    } else {
      answer.completeExceptionally(ApiServer.cause(failure));
    }
  }

  /** Whether something is answered and not yet written. */
  synchronized boolean isWaiting() {
    return waiting != null || underWay != null;
  }

  /** Writes at once what waits; completes when nothing does. */
  CompletableFuture<Void> flush() {
    CompletableFuture<Void> flush = new CompletableFuture<>();
    synchronized (this) {
      if (retired) {
        return CompletableFuture.completedFuture(null);
      }
      pace.flush();
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
