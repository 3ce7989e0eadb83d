package dev.waymark.controller.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Lets users go first, because an API server that is busy serves all who ask alike, and the
 * reconcilers would be most of them: each create would take several times as long. While users
 * create TrainJobs in a row
 *
 * <ul>
 *   <li>no more of them are begun with, for three seconds at most, since what is made of one takes
 *       three times as much as its create;
 *   <li>all else is written one object at a time.
 * </ul>
 *
 * <p>What is left is done as fast as can be once they pause. Safe for every thread.
 */
final class Courtesy {

  /** Between two TrainJobs of users who create many. */
  private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  /** TrainJobs in a row that are begun with at once. */
  private static final int FEW = 8;

  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(3).toNanos();

  private final Semaphore turn = new Semaphore(1, /* fair= */ true);

  private final Consumer<ResourceID> begin;
  private final LongSupplier nanoTime;
  private final Function<Duration, CompletableFuture<Void>> timers;

  /** New TrainJobs that wait, in their order; while there are any, a timer runs. */
  private final Set<ResourceID> waiting = new LinkedHashSet<>();

  private long usersAskedAt;

  /** The TrainJobs without a pause before the last one, and when the first was created. */
  private int row;

  private long rowBeganAt;

  /**
   * Waits for nobody yet.
   *
   * @param begin has a TrainJob that waited reconciled; called on a thread that must not wait
   */
  Courtesy(Consumer<ResourceID> begin) {
    this(begin, System::nanoTime, Courtesy::timer);
  }

  /** With another clock and other timers, each complete when its time is over. */
  Courtesy(
      Consumer<ResourceID> begin,
      LongSupplier nanoTime,
      Function<Duration, CompletableFuture<Void>> timers) {
    this.begin = begin;
    this.nanoTime = nanoTime;
    this.timers = timers;
    usersAskedAt = nanoTime.getAsLong() - PAUSE_NANOS;
  }

  /** A user creates a TrainJob. */
  synchronized void userAsks() {
    long now = nanoTime.getAsLong();
    if (now - usersAskedAt >= PAUSE_NANOS) {
      row = 0;
      rowBeganAt = now;
    }
    row++;
    usersAskedAt = now;
  }

  private static CompletableFuture<Void> timer(Duration wait) {
    return new CompletableFuture<Void>()
        .completeOnTimeout(null, wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Whether it isn't polite yet to begin with a new TrainJob. If so, it is reconciled again once it
   * is.
   */
  synchronized boolean mustWait(ResourceID trainJob) {
    long left = untilBeginning();
    if (left <= 0) {
      return false;
    }
    if (waiting.isEmpty()) {
      lookAgainIn(left);
    }
    waiting.add(trainJob);
    return true;
  }

  private void lookAgainIn(long nanos) {
    var unused = timers.apply(Duration.ofNanos(nanos)).thenRun(this::lookAgain);
  }

  private void lookAgain() {
    List<ResourceID> waited;
    synchronized (this) {
      long left = untilBeginning();
      if (left > 0) {
        lookAgainIn(left);
        return;
      }
      waited = List.copyOf(waiting);
      waiting.clear();
    }
    waited.forEach(begin);
  }

  /**
   * Makes a write once it is polite to.
   *
   * @param write waits until it is done
   */
  <T> T write(Supplier<T> write) {
    boolean hasTurn = awaitTurn();
    try {
      return write.get();
    } finally {
      if (hasTurn) {
        turn.release();
      }
    }
  }

  /** False when users have paused, so that no turn is needed. */
  private boolean awaitTurn() {
    try {
      for (long left = untilPause(); left > 0; left = untilPause()) {
        if (turn.tryAcquire(left, TimeUnit.NANOSECONDS)) {
          return true;
        }
      }
      return false;
    } catch (InterruptedException e) {
      throw ended(e);
    }
  }

  private static CompletionException ended(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new CompletionException("the controller ends", e);
  }

  private synchronized long untilBeginning() {
    long waitEnds = rowBeganAt + LONGEST_WAIT_NANOS - nanoTime.getAsLong();
    return row <= FEW ? 0 : Math.min(untilPause(), waitEnds);
  }

  private synchronized long untilPause() {
    return usersAskedAt + PAUSE_NANOS - nanoTime.getAsLong();
  }
}
