package dev.waymark.dl4j;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Says when a loss is asked for that would not be computed: now and then, so that it costs next to
 * nothing, and in the last iteration of all. For one thread at a time.
 */
final class LossSamples {
  static final long LEAST_NANOS_BETWEEN = TimeUnit.MILLISECONDS.toNanos(50);

  private final LongSupplier nanoTime;
  private long askedAt;

  /**
   * @param nanoTime a monotonic clock
   */
  LossSamples(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    askedAt = nanoTime.getAsLong() - LEAST_NANOS_BETWEEN;
  }

  /** Whether to ask now; then it is asked. */
  boolean isDue(boolean last) {
    long now = nanoTime.getAsLong();
    if (!last && now - askedAt < LEAST_NANOS_BETWEEN) {
      return false;
    }
    askedAt = now;
    return true;
  }
}
