package dev.waymark.reporter;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a run that nobody ends counts as over: after a fixed time where nothing more is to
 * come, otherwise when no step has come for longer than its pauses last. Not thread-safe; times are
 * nanos of a monotonic clock.
 */
final class PresumedEnd {
  private static final long LEAST_QUIET_OF_EVALUATION = TimeUnit.MINUTES.toNanos(10);

  /** What the run's own longest pause may ask for at most. */
  private static final long MOST_QUIET_BY_PAUSES = TimeUnit.HOURS.toNanos(1);

  private static final int PAUSES = 3;

  private boolean presumed;
  private boolean over;
  private boolean evenIfSignalled;
  private long quiet;
  private long quietSince;

  private boolean hasSteps;

  /** The last step, or the end of the evaluation since. */
  private long lastSign;

  private long longestGap;
  private long longestEvaluation;

  /**
   * Presumes it from now on.
   *
   * @param quietNanos the time without a step that is needed, at least unless it is over
   * @param isOver whether nothing more is to come, even where less is done than planned
   */
  void presume(long quietNanos, boolean isOver, boolean signalsToo, long now) {
    presumed = true;
    over = isOver;
    evenIfSignalled = signalsToo;
    quiet = quietNanos;
    quietSince = now;
  }

  void withdraw() {
    presumed = false;
  }

  /**
   * @param evaluated whether there was an evaluation since the last sign
   */
  void stepEnded(boolean evaluated, long now) {
    if (hasSteps) {
      pauseEnded(evaluated, now);
    }
    hasSteps = true;
    lastSign = now;
    quietSince = now;
  }

  void evaluationEnded(long now) {
    if (hasSteps) {
      pauseEnded(true, now);
      lastSign = now;
    }
  }

  private void pauseEnded(boolean evaluated, long now) {
    if (evaluated) {
      longestEvaluation = Math.max(longestEvaluation, now - lastSign);
    } else {
      longestGap = Math.max(longestGap, now - lastSign);
    }
  }

  /** Whether it has been quiet for long enough. */
  boolean isDue(boolean cutShort, boolean evaluating, long now) {
    return holds(cutShort) && now - quietSince >= (over ? quiet : quietNeeded(evaluating));
  }

  /** A pause for an evaluation or a checkpoint must not be taken for the end. */
  private long quietNeeded(boolean evaluating) {
    long needed = Math.max(quiet, severalTimes(longestGap));
    return evaluating
        ? Math.max(needed, Math.max(LEAST_QUIET_OF_EVALUATION, severalTimes(longestEvaluation)))
        : needed;
  }

  private static long severalTimes(long pause) {
    return Math.min(MOST_QUIET_BY_PAUSES / PAUSES, pause) * PAUSES;
  }

  /** Whether the run is over when the JVM ends, and not interrupted. */
  boolean holdsAtJvmEnd(boolean cutShort, boolean signalled) {
    return holds(cutShort) && (evenIfSignalled || !signalled);
  }

  private boolean holds(boolean cutShort) {
    return presumed && (over || !cutShort);
  }
}
