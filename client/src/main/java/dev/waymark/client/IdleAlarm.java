package dev.waymark.client;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts the thread that made it when that has heard nothing for a while: a connection whose
 * other end has vanished stays silent for ever.
 */
final class IdleAlarm implements AutoCloseable {

  private final Thread listener = Thread.currentThread();
  private final long limitNanos;
  private final ScheduledFuture<?> clock;
  private long heardNanos = System.nanoTime();
  private boolean rung;
  private boolean closed;

  IdleAlarm(Duration limit, ScheduledExecutorService scheduler) {
    limitNanos = limit.toNanos();
    clock =
        scheduler.scheduleWithFixedDelay(
            this::check, limitNanos, Math.max(1, limitNanos / 4), TimeUnit.NANOSECONDS);
  }

  synchronized void heard() {
    heardNanos = System.nanoTime();
  }

  private synchronized void check() {
    if (!closed && !rung && System.nanoTime() - heardNanos > limitNanos) {
      rung = true;
      listener.interrupt();
    }
  }

  /** Whether it was this that interrupted. The interrupt is over then. */
  synchronized boolean hasRung() {
    if (rung) {
      Thread.interrupted();
    }
    return rung;
  }

  @Override
  public synchronized void close() {
    closed = true;
    clock.cancel(false);
  }
}
