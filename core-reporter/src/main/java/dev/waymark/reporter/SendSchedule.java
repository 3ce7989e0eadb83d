package dev.waymark.reporter;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * When the next report may be sent: pure bookkeeping, told the time by its caller. Times are nanos
 * of a monotonic clock. Not thread-safe.
 *
 * <ul>
 *   <li>The first report waits a random part of the interval, at most 2 s, so that a thousand pods
 *       don't post in the same second.
 *   <li>Reports are an interval apart, counted from the start of one attempt to the start of the
 *       next. The last word of a run doesn't wait for that.
 *   <li>After failures everything waits, last words too: twice as long each time, less some
 *       randomness, at most 25 s. So a report arrives within 30 s after the endpoint has come back.
 * </ul>
 */
final class SendSchedule {
  private static final Duration MAX_FIRST_WAIT = Duration.ofSeconds(2);
  private static final Duration MAX_BACK_OFF = Duration.ofSeconds(25);

  /** How much of a back-off is left to chance. */
  private static final double JITTER = 0.2;

  private final long interval;
  private final long maxBackOff;
  private final DoubleSupplier random;
  private long lastStart;
  private long wait;
  private int failures;

  /**
   * @param random numbers of [0, 1)
   */
  SendSchedule(Duration interval, long now, DoubleSupplier random) {
    this(interval, MAX_BACK_OFF, now, random);
  }

  /**
   * @param maxBackOff counts only if it is longer than the interval
   */
  SendSchedule(Duration interval, Duration maxBackOff, long now, DoubleSupplier random) {
    this.interval = interval.toNanos();
    this.maxBackOff = Math.max(maxBackOff.toNanos(), this.interval);
    this.random = random;
    lastStart = now;
    wait = (long) (random.getAsDouble() * Math.min(this.interval, MAX_FIRST_WAIT.toNanos()));
  }

  /** Nanos from one report to the next, at least. */
  long interval() {
    return interval;
  }

  /**
   * Nanos until the next attempt may start; 0 or less: now.
   *
   * @param lastWord whether the last word of a run waits
   */
  long waitNanos(long now, boolean lastWord) {
    return lastWord && failures == 0 ? 0 : lastStart + wait - now;
  }

  /** An attempt that started then was accepted. */
  void succeeded(long start) {
    failures = 0;
    lastStart = start;
    wait = interval;
  }

  /** There was nothing to send at that time: the next question is an interval away. */
  void idle(long now) {
    lastStart = now;
    wait = interval;
  }

  /** An attempt that started then failed. */
  void failed(long start) {
    backOff(start, (long) Math.min(interval * Math.pow(2, failures), maxBackOff));
  }

  /** The endpoint doesn't know the TrainJob: hardly a matter of seconds. */
  void notFound(long start) {
    backOff(start, maxBackOff);
  }

  private void backOff(long start, long delay) {
    failures++;
    lastStart = start;
    wait = Math.max(interval, (long) (delay * (1 - JITTER * random.getAsDouble())));
  }
}
