package dev.waymark.reporter;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The moment until which one attempt may last, on the monotonic clock. It may be cut short, by any
 * thread.
 */
final class Deadline {
  private final Duration limit;
  private final long end;
  private volatile boolean cut;

  private Deadline(Duration limit) {
    this.limit = limit;
    this.end = System.nanoTime() + limit.toNanos();
  }

  static Deadline in(Duration limit) {
    return new Deadline(limit);
  }

  /** The whole time that was granted. */
  Duration limit() {
    return limit;
  }

  /** Lets it pass now. Who is waiting already is to be woken by other means. */
  void cut() {
    cut = true;
  }

  boolean hasPassed() {
    return remainingNanos() <= 0;
  }

  /** Milliseconds that are left: at least 1 before the deadline, 0 from then on. */
  int remainingMillis() {
    long nanos = remainingNanos();
    if (nanos <= 0) {
      return 0;
    }
    return (int) Math.max(1, Math.min(TimeUnit.NANOSECONDS.toMillis(nanos), Integer.MAX_VALUE));
  }

  private long remainingNanos() {
    return cut ? 0 : end - System.nanoTime();
  }
}
