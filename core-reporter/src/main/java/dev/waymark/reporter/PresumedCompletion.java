package dev.waymark.reporter;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a run that nobody ends counts as completed: when no step has come for longer than
 * its pauses last. Not thread-safe; times are nanos of a monotonic clock.
 */
final class PresumedCompletion {
  private static final long LEAST_QUIET_OF_EVALUATION = TimeUnit.MINUTES.toNanos(10);

  /** What the run's own longest pause may ask for at most. */
  private static final long MOST_QUIET_BY_GAPS = TimeUnit.HOURS.toNanos(1);

  private static final int GAPS = 3;

  private boolean presumed;
  private boolean evenIfSignalled;
  private long quiet;
  private long quietSince;

  private boolean hasSteps;
  private long lastStep;
  private long longestGap;

  /**
   * Presumes it from now on.
   *
   * @param quietNanos the time without a step that is needed at least
   */
  void presume(long quietNanos, boolean signalsToo, long now) {
    presumed = true;
    evenIfSignalled = signalsToo;
    quiet = quietNanos;
    quietSince = now;
  }

  void withdraw() {
    presumed = false;
  }

  void stepEnded(long now) {
    if (hasSteps) {
      longestGap = Math.max(longestGap, now - lastStep);
    }
    hasSteps = true;
    lastStep = now;
    quietSince = now;
  }

  /** Whether it has been quiet for long enough. */
  boolean isDue(boolean evaluating, long now) {
    return presumed && now - quietSince >= quietNeeded(evaluating);
  }

  /** A pause for an evaluation or a checkpoint must not be taken for the end. */
  private long quietNeeded(boolean evaluating) {
    long byGaps = Math.min(MOST_QUIET_BY_GAPS / GAPS, longestGap) * GAPS;
    return Math.max(Math.max(quiet, byGaps), evaluating ? LEAST_QUIET_OF_EVALUATION : 0);
  }

  /** Whether the JVM's end is the run's completion. */
  boolean holdsAtJvmEnd(boolean signalled) {
    return presumed && (evenIfSignalled || !signalled);
  }
}
