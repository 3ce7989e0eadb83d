package dev.waymark.reporter;

/**
 * Estimates the remaining time of a run that reports epochs and no steps: the mean time of this
 * session's epochs, their pauses included. Not thread-safe.
 */
final class EpochPace {
  private static final double LEAST_SECONDS = 2;

  private final long sessionBegan;
  private long lastEnded;
  private int epochs;

  /**
   * @param nanos when the session begins, that is, its first epoch
   */
  EpochPace(long nanos) {
    sessionBegan = nanos;
    lastEnded = nanos;
  }

  void epochsEnded(int more, long nanos) {
    epochs += more;
    lastEnded = nanos;
  }

  /**
   * Whether the session has lasted long enough for an estimate to mean something: one epoch and 2
   * s.
   */
  boolean isSettled(long nanos) {
    return epochs > 0 && (nanos - sessionBegan) / 1e9 >= LEAST_SECONDS;
  }

  /**
   * The estimate as of now, counted down through the epoch that is under way.
   *
   * @param epochsToGo how many epochs have not ended yet, 0 or more
   * @return seconds, 0 or more; meaningless before the first epoch has ended
   */
  double secondsFromNow(int epochsToGo, long nanos) {
    double mean = (lastEnded - sessionBegan) / 1e9 / epochs;
    return Math.max(0, mean * epochsToGo - Math.min(mean, (nanos - lastEnded) / 1e9));
  }
}
