package dev.waymark.reporter;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * A caller's wait for last words to be delivered: how long it may take, and how that time is shared
 * out. The newest last word is the one that must arrive, because it is what the server keeps, so
 * two thirds of the time are its own; those before it go out in the first third, in order, as long
 * as the endpoint takes them quickly. Any thread may ask whether it is open, how long it has taken
 * and what was given up; all else is the sender's thread's own.
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
  private final LongSupplier nanoTime;
  private final long began;
  private volatile State state = State.OPEN;
  private final AtomicInteger givenUp = new AtomicInteger();
  private boolean olderFailed;
  private int attempts;
  private long notBefore;

  /** Begins to wait, for this long at most. */
  Flush(Duration limit) {
    this(limit, System::nanoTime);
  }

  Flush(Duration limit, LongSupplier nanoTime) {
    this.limit = limit.toNanos();
    this.nanoTime = nanoTime;
    began = nanoTime.getAsLong();
    notBefore = began;
  }

  State state() {
    return state;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  long nanosTaken() {
    return nanoTime.getAsLong() - began;
  }

  long nanosLeft() {
    return limit - nanosTaken();
  }

  void end(State end) {
    state = end;
  }

  /** How long an attempt may last that began before the flush, or with an older last word. */
  long firstThird() {
    return limit / 3;
  }

  /**
   * Whether a last word may be sent that isn't the newest. Only in the first sixth: one that is cut
   * soon after it was sent might be taken by the server after the newest.
   */
  boolean hasTimeForOlder() {
    return !olderFailed && attempts == 0 && nanosTaken() < limit / 6;
  }

  /** For an attempt with a last word that isn't the newest. */
  Duration olderAttemptLimit(Duration most) {
    return positive(Math.min(firstThird() - nanosTaken(), most.toNanos()));
  }

  /** An older last word was not taken: the time that is left is the newest one's. */
  void olderAttemptFailed() {
    olderFailed = true;
  }

  /** So many more last words were given up for the newest. */
  void gaveUp(int lastWords) {
    givenUp.addAndGet(lastWords);
  }

  /** How many last words were given up for the newest. */
  int givenUp() {
    return givenUp.get();
  }

  /** Nanos from now to the next attempt; 0 or less if it is due. */
  long waitNanos(long now) {
    return notBefore - now;
  }

  /** Whether an attempt with the newest last word has failed already. */
  boolean hasFailedOnce() {
    return attempts > 0;
  }

  /** The second attempt has what the first one leaves. */
  Duration attemptLimit(Duration most) {
    long share = attempts == 0 ? Math.min(limit / 2, nanosLeft()) : nanosLeft();
    return positive(Math.min(share, most.toNanos()));
  }

  private static Duration positive(long nanos) {
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
    notBefore = nanoTime.getAsLong() + Math.min(MOST_PAUSE, nanosLeft() / 4);
    return attempts < MOST_ATTEMPTS;
  }
}
