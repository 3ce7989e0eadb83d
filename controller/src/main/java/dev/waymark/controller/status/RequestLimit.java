package dev.waymark.controller.status;

import static java.util.Objects.requireNonNull;

import dev.waymark.controller.kubernetes.TokenBucket;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The limit of the status server's requests to the API server, for all TrainJobs together. Whoever
 * is over it stands in line; those in a hurry are let through before all others, so that a last
 * word never waits for the progress of a thousand other trainings. Safe for every thread, and calls
 * nobody while it holds its lock.
 */
final class RequestLimit {

  private final TokenBucket bucket;
  private final ScheduledExecutorService timer;

  /** Each one in line has paid for a token; whose token it will be is decided when it is due. */
  private final Set<Turn> inAHurry = new LinkedHashSet<>();

  private final Set<Turn> others = new LinkedHashSet<>();

  /**
   * Makes a limit that nobody has used yet.
   *
   * @param timer tells when a token is due, and runs who waited for it; stays open
   */
  RequestLimit(TokenBucket bucket, ScheduledExecutorService timer) {
    this.bucket = requireNonNull(bucket, "bucket");
    this.timer = requireNonNull(timer, "timer");
  }

  /** A place in the line. */
  final class Turn {
    private final CompletableFuture<Void> come = new CompletableFuture<>();

    private Turn() {}

    /** Completes when one request may be sent; fails when the controller ends before. */
    CompletableFuture<Void> come() {
      return come;
    }

    /** Goes in front of all who are not in a hurry. */
    void hurry() {
      synchronized (RequestLimit.this) {
        if (others.remove(this)) {
          inAHurry.add(this);
        }
      }
    }
  }

  /** Lets one request through if that can be now and nobody stands in line. */
  boolean tryTake() {
    return bucket.tryTake();
  }

  /** Stands in line for one request. */
  Turn lineUp(boolean hurried) {
    Turn turn = new Turn();
    Duration wait;
    boolean goesThrough;
    synchronized (this) {
      wait = bucket.reserve();
      goesThrough = wait.isZero() && inAHurry.isEmpty() && others.isEmpty();
      if (!goesThrough) {
        (hurried ? inAHurry : others).add(turn);
      }
    }
    if (goesThrough) {
      turn.come.complete(null);
    } else {
      letSomebodyThroughIn(wait, turn);
    }
    return turn;
  }

  private void letSomebodyThroughIn(Duration wait, Turn turn) {
    try {
      timer.schedule(this::letThrough, wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      leave(turn);
      turn.come.completeExceptionally(e);
    }
  }

  private void letThrough() {
    Turn next;
    synchronized (this) {
      Iterator<Turn> line = (inAHurry.isEmpty() ? others : inAHurry).iterator();
      if (!line.hasNext()) {
        return;
      }
      next = line.next();
      line.remove();
    }
    next.come.complete(null);
  }

  private synchronized void leave(Turn turn) {
    inAHurry.remove(turn);
    others.remove(turn);
  }
}
