package dev.waymark.reporter;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Says when a figure that costs something is worth reading: a few times per report interval, to one
 * thread each time. Any thread may ask; it takes no lock.
 */
final class SampleGate {
  private static final int SAMPLES_PER_REPORT = 4;

  private final LongSupplier nanoTime;
  private final long distance;
  private final AtomicLong due;

  SampleGate(Duration reportInterval, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    distance = reportInterval.toNanos() / SAMPLES_PER_REPORT;
    due = new AtomicLong(nanoTime.getAsLong());
  }

  boolean isDue() {
    long now = nanoTime.getAsLong();
    long planned = due.get();
    return now - planned >= 0 && due.compareAndSet(planned, now + distance);
  }
}
