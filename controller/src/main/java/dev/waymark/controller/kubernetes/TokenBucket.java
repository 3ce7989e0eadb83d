package dev.waymark.controller.kubernetes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A limit of requests: {@code burst} at once, then {@code qps} a second, in the order in which they
 * were asked for. As in Go's client, whoever is over the limit waits, nobody is refused. Safe for
 * every thread.
 */
public final class TokenBucket {

  private static final double NANOS = 1e9;

  private final double nanosPerToken;
  private final double burstNanos;
  private final LongSupplier nanoTime;

  /** When the bucket would be full again; it may lie behind. */
  private double fullAt;

  /**
   * Makes a full bucket.
   *
   * @param qps a second; 0: no limit
   * @param burst at least 1 where there is a limit
   */
  public TokenBucket(double qps, int burst) {
    this(qps, burst, System::nanoTime);
  }

  TokenBucket(double qps, int burst, LongSupplier nanoTime) {
    this.nanosPerToken = qps == 0 ? 0 : NANOS / qps;
    this.burstNanos = burst * nanosPerToken;
    this.nanoTime = nanoTime;
    this.fullAt = nanoTime.getAsLong();
  }

  /** Takes a token that may not be there yet, and tells how long to wait until it is. */
  public synchronized Duration reserve() {
    long now = nanoTime.getAsLong();
    fullAt = Math.max(fullAt, (double) now) + nanosPerToken;
    return Duration.ofNanos(Math.max(0, Math.round(fullAt - burstNanos - now)));
  }

  /** Takes a token if one is there now. */
  public synchronized boolean tryTake() {
    long now = nanoTime.getAsLong();
    double after = Math.max(fullAt, (double) now) + nanosPerToken;
    if (after - burstNanos > now) {
      return false;
    }
    fullAt = after;
    return true;
  }

  /** Takes a token; the stage completes when it may be used. */
  public CompletableFuture<Void> take() {
    Duration wait = reserve();
    if (wait.isZero()) {
      return CompletableFuture.completedFuture(null);
    }
    Executor later =
        CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS, Runnable::run);
    return CompletableFuture.runAsync(() -> {}, later);
  }
}
