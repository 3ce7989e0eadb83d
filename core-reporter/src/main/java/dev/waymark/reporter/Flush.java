package dev.waymark.reporter;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A caller's wait for last words to be delivered: how long it may take, and how that time is shared
 * out. Any thread may ask whether it is open and how long it has taken; all else is the sender's
 * thread's own.
 */
final class Flush {
  /** How it stands, or how it ended. */
  enum State {
    OPEN,
    DELIVERED,
    FAILED
  }

  private static final int MOST_ATTEMPTS = 2;

  private static final long MOST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

  private final long limit;
  private final long began = System.nanoTime();
  private volatile State state = State.OPEN;
  private int attempts;
  private long notBefore = began;

  /** Begins to wait, for this long at most. */
  Flush(Duration limit) {
    this.limit = limit.toNanos();
  }

  State state() {
    return state;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  long nanosTaken() {
    return System.nanoTime() - began;
  }

  long nanosLeft() {
    return limit - nanosTaken();
  }

  void end(State end) {
    state = end;
  }

  /** Nanos from now to the next attempt; 0 or less if it is due. */
  long waitNanos(long now) {
    return notBefore - now;
  }

  /** Whether an attempt has failed already. */
  boolean hasFailedOnce() {
    return attempts > 0;
  }

  /** The second attempt has what the first one leaves. */
  Duration attemptLimit(Duration most) {
    long share = attempts == 0 ? Math.min(limit / 2, nanosLeft()) : nanosLeft();
    long nanos = Math.min(share, most.toNanos());
    return Duration.ofNanos(Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(1)));
  }

  /**
   * An attempt has failed. A pause may help a server that is starting, but most of what is left is
   * for the answer.
   *
   * @return whether there will be another one
   */
  boolean attemptFailed() {
    attempts++;
    notBefore = System.nanoTime() + Math.min(MOST_PAUSE, nanosLeft() / 4);
    return attempts < MOST_ATTEMPTS;
  }
}
