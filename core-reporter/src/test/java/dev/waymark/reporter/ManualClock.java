package dev.waymark.reporter;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A monotonic clock that a test sets. It begins shortly before nanoTime would overflow. */
final class ManualClock implements LongSupplier {
  private static final long START = Long.MAX_VALUE - Duration.ofSeconds(10).toNanos();

  private final AtomicLong nanos = new AtomicLong(START);

  @Override
  public long getAsLong() {
    return nanos.get();
  }

  void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  void advanceSeconds(double seconds) {
    nanos.addAndGet(Math.round(seconds * 1e9));
  }

  /** Sets the time, counted from the clock's beginning. */
  void set(long nanosSinceStart) {
    nanos.set(START + nanosSinceStart);
  }
}
