package dev.waymark.controller.reconcile;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Lets users go first. While they create TrainJobs in a row the reconcilers write one object at a
 * time, because an API server that is busy serves all who ask alike, and sixteen workers would be
 * most of them: each create would take several times as long. What is left to write is written as
 * fast as can be once they pause. Safe for every thread.
 */
final class Courtesy {

  /** Between two TrainJobs of users who create many. */
  private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

  private final Semaphore turn = new Semaphore(1, /* fair= */ true);

  private final LongSupplier nanoTime;
  private volatile long usersAskedAt;

  Courtesy() {
    this(System::nanoTime);
  }

  Courtesy(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    usersAskedAt = nanoTime.getAsLong() - PAUSE_NANOS;
  }

  /** A user creates a TrainJob. */
  void userAsks() {
    usersAskedAt = nanoTime.getAsLong();
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
      Thread.currentThread().interrupt();
      throw new CompletionException("the controller ends", e);
    }
  }

  private long untilPause() {
    return usersAskedAt + PAUSE_NANOS - nanoTime.getAsLong();
  }
}
