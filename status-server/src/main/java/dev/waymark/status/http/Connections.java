package dev.waymark.status.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Sees to it that no connection is held for nothing: each has a deadline for what comes next, and
 * their number is bounded. When one more comes than there is room for, the one whose client has
 * been silent or slow for longest goes, so half-sent requests can't keep others out. Lives on the
 * server's event loop.
 */
final class Connections {

  private final Vertx vertx;
  private final Limits limits;
  private final Map<HttpConnection, Guard> guards = new HashMap<>();
  private final Promise<Void> allClosed = Promise.promise();
  private long turn;
  private boolean draining;

  /**
   * The limits.
   *
   * @param connections most at a time, at least 1
   * @param request time from the handshake, or from a later request's head, to a request's last
   *     byte
   * @param answer time from there to the last byte of the answer
   * @param idle time from there to the whole head of the next request
   */
  record Limits(int connections, Duration request, Duration answer, Duration idle) {}

  Connections(Vertx vertx, Limits limits) {
    this.vertx = vertx;
    this.limits = limits;
  }

  /** A connection whose TLS handshake is through. */
  void opened(HttpConnection connection) {
    if (draining || (guards.size() >= limits.connections && !evictSlowest())) {
      connection.close();
      return;
    }
    Guard guard = new Guard(connection);
    guards.put(connection, guard);
    connection.closeHandler(nothing -> closed(connection));
    guard.setDeadline(limits.request);
  }

  /**
   * The head of a request is in.
   *
   * @param received completes when the rest of it is, too
   * @param answered completes when its answer is written
   * @return whether to answer it; false on a connection that was just shown the door
   */
  boolean requestStarted(HttpConnection connection, Future<Void> received, Future<Void> answered) {
    Guard guard = guards.get(connection);
    if (guard == null) {
      return false;
    }
    guard.requestStarted();
    received.onSuccess(nothing -> guard.requestReceived());
    answered.onComplete(written -> received.onComplete(read -> guard.requestEnded(received)));
    return true;
  }

  /** Closes connections as soon as their requests are answered, and lets no more in. */
  Future<Void> drain() {
    draining = true;
    for (Guard guard : guards.values().toArray(new Guard[0])) {
      guard.closeIfWaiting();
    }
    completeIfDrained();
    return allClosed.future();
  }

  private boolean evictSlowest() {
    Optional<Guard> slowest =
        guards.values().stream()
            .filter(guard -> guard.unanswered == 0)
            .min(Comparator.comparingLong(guard -> guard.waitingSince));
    slowest.ifPresent(
        guard -> {
          closed(guard.connection);
          guard.connection.close();
        });
    return slowest.isPresent();
  }

  private void closed(HttpConnection connection) {
    Guard guard = guards.remove(connection);
    if (guard != null) {
      guard.cancelTimer();
    }
    completeIfDrained();
  }

  private void completeIfDrained() {
    if (draining && guards.isEmpty()) {
      allClosed.tryComplete();
    }
  }

  /** Watches one connection. */
  private final class Guard {

    private static final long NO_TIMER = -1;

    private final HttpConnection connection;

    /** The turn at which the client was last seen to do what it should. */
    private long waitingSince = ++turn;

    private boolean hadRequest;
    private int openRequests;

    /** Those of the open ones that wait for us, not for the client. */
    private int unanswered;

    /** By {@link System#nanoTime}, as the next. */
    private long deadline;

    /** No later than the deadline. */
    private long timerGoesOffAt;

    private long timer = NO_TIMER;

    private Guard(HttpConnection connection) {
      this.connection = connection;
    }

    private void requestStarted() {
      openRequests++;
      // The first one's deadline runs since the handshake.
      if (hadRequest) {
        setDeadline(limits.request);
      }
      hadRequest = true;
    }

    private void requestReceived() {
      unanswered++;
      waitingSince = ++turn;
      setDeadline(limits.answer);
    }

    private void requestEnded(Future<Void> received) {
      openRequests--;
      if (received.succeeded()) {
        unanswered--;
      }
      if (openRequests > 0) {
        return;
      }
      waitingSince = ++turn;
      setDeadline(limits.idle);
      if (draining) {
        connection.close();
      }
    }

    private void closeIfWaiting() {
      if (openRequests == 0) {
        connection.close();
      }
    }

    /**
     * Most deadlines are moved long before they come, so there is one timer a connection, not three
     * a request: one that goes off early is set anew.
     */
    private void setDeadline(Duration fromNow) {
      if (guards.get(connection) != this) {
        return;
      }
      deadline = System.nanoTime() + fromNow.toNanos();
      if (timer == NO_TIMER || deadline - timerGoesOffAt < 0) {
        setTimer();
      }
    }

    private void setTimer() {
      cancelTimer();
      timerGoesOffAt = deadline;
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()) + 1;
      timer = vertx.setTimer(Math.max(millis, 1), id -> timerWentOff());
    }

    private void timerWentOff() {
      timer = NO_TIMER;
      if (deadline - System.nanoTime() > 0) {
        setTimer();
      } else {
        connection.close();
      }
    }

    private void cancelTimer() {
      if (timer != NO_TIMER) {
        vertx.cancelTimer(timer);
        timer = NO_TIMER;
      }
    }
  }
}
