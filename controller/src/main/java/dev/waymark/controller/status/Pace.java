package dev.waymark.controller.status;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When a TrainJob's next request may be sent. Counted from the last attempt, whether it succeeded
 * or not: an API server that fails is asked at longer and longer intervals, from the spacing,
 * doubled, to 30 s (or the spacing, if that is longer), each from the end of the attempt that
 * failed.
 *
 * <p>A last word waits for nothing but an earlier one: for the spacing if there was no progress in
 * between, or if the earlier one failed; for a tenth of it if there was, since that was another run
 * and somebody waits for the answer. Guarded by the lock of whoever has it.
 */
final class Pace {

  private static final long MIN_RETRY_NANOS = Duration.ofMillis(50).toNanos();
  private static final long MAX_RETRY_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long FLUSH_RETRY_NANOS = Duration.ofMillis(200).toNanos();
  private static final int MAX_DOUBLINGS = 16;

  /** So one TrainJob takes a small part of the limit only, however often its training ends. */
  private static final int MOST_ENDS_PER_SPACING = 10;

  private final long spacingNanos;
  private final LongSupplier nanoTime;

  private boolean everTried;
  private long lastTryAt;
  private boolean lastTryWasALastWord;

  /** Attempts in a row that failed. */
  private int failures;

  private boolean flushing;

  /**
   * Makes the pace of a TrainJob that has sent nothing yet.
   *
   * @param spacing between two attempts; may be zero
   */
  Pace(Duration spacing, LongSupplier nanoTime) {
    spacingNanos = spacing.toNanos();
    this.nanoTime = nanoTime;
  }

  /** A request is sent. */
  void begins(boolean withALastWord) {
    everTried = true;
    lastTryAt = nanoTime.getAsLong();
    lastTryWasALastWord = withALastWord;
  }

  /** It was answered. */
  void succeeded() {
    failures = 0;
  }

  /** It was not answered, or with a failure that may pass. */
  void failed() {
    failures++;
    lastTryAt = nanoTime.getAsLong();
  }

  /** From now on there is no time to lose: the controller ends. */
  void flush() {
    flushing = true;
  }

  /** Nanoseconds until progress may be written; 0 or less: now. */
  long untilProgress() {
    long interval = spacingNanos;
    if (flushing) {
      interval = failures * FLUSH_RETRY_NANOS;
    } else if (failures > 0) {
      long first = Math.max(spacingNanos, MIN_RETRY_NANOS);
      long doubled = first << Math.min(failures - 1, MAX_DOUBLINGS);
      interval = Math.max(spacingNanos, Math.min(doubled, MAX_RETRY_NANOS));
    }
    return everTried ? rest(interval) : 0;
  }

  /**
   * Nanoseconds until a last word may be written; 0 or less: now.
   *
   * @param afterProgress whether there was progress since the last word before it
   */
  long untilLastWord(boolean afterProgress) {
    if (!lastTryWasALastWord) {
      return 0;
    } else if (flushing) {
      return rest(failures * FLUSH_RETRY_NANOS);
    }
    boolean endsAnotherRun = afterProgress && failures == 0;
    return rest(endsAnotherRun ? spacingNanos / MOST_ENDS_PER_SPACING : spacingNanos);
  }

  private long rest(long interval) {
    return lastTryAt + interval - nanoTime.getAsLong();
  }
}
