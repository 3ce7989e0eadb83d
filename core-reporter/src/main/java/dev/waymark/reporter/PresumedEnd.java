package dev.waymark.reporter;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a run that nobody ends counts as over: when no step has come for longer than its
 * pauses last. Not thread-safe; times are nanos of a monotonic clock.
 */
final class PresumedEnd {
  private static final long LEAST_QUIET_OF_EVALUATION = TimeUnit.MINUTES.toNanos(10);

  /** What the run's own longest pause may ask for at most. */
  private static final long MOST_QUIET_BY_GAPS = TimeUnit.HOURS.toNanos(1);

  private static final int GAPS = 3;

  private boolean presumed;
  private boolean evenIfCutShort;
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
   * @param shortToo even where less is done than planned
   */
  void presume(long quietNanos, boolean shortToo, boolean signalsToo, long now) {
    presumed = true;
    evenIfCutShort = shortToo;
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
  boolean isDue(boolean cutShort, boolean evaluating, long now) {
    return holds(cutShort) && now - quietSince >= quietNeeded(evaluating);
  }

  /** A pause for an evaluation or a checkpoint must not be taken for the end. */
  private long quietNeeded(boolean evaluating) {
    long byGaps = Math.min(MOST_QUIET_BY_GAPS / GAPS, longestGap) * GAPS;
    return Math.max(Math.max(quiet, byGaps), evaluating ? LEAST_QUIET_OF_EVALUATION : 0);
  }

  /** Whether the run is over when the JVM ends, and not interrupted. */
  boolean holdsAtJvmEnd(boolean cutShort, boolean signalled) {
    return holds(cutShort) && (evenIfSignalled || !signalled);
  }

  private boolean holds(boolean cutShort) {
    return presumed && (evenIfCutShort || !cutShort);
  }
}
