package dev.waymark.controller;

import dev.waymark.status.http.WebServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Finds out again and again whether one of the controller's own servers serves, by a connection
 * with its TLS handshake: without a certificate, or with a stuck event loop, there is none. Safe
 * for every thread.
 */
public final class ServingProbe {

  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /** Somebody waits for the first time that it serves. */
  private static final Duration INTERVAL_UNTIL_SERVED = Duration.ofMillis(100);

  private final ScheduledExecutorService executor;
  private volatile String problem = "it has not started yet";

  /**
   * Probes nothing yet.
   *
   * @param executor times the probes, which end with it
   */
  public ServingProbe(ScheduledExecutorService executor) {
    this.executor = executor;
  }

  /** Begins to probe a server that listens. */
  public void start(WebServer server) {
    server
        .probe()
        .whenComplete(
            (served, failure) -> {
              problem = failure == null ? null : "no TLS handshake: " + failure.getMessage();
              probeAgain(server, failure == null ? INTERVAL : INTERVAL_UNTIL_SERVED);
            });
  }

  private void probeAgain(WebServer server, Duration pause) {
    try {
      var unused = executor.schedule(() -> start(server), pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      problem = "it has been closed";
    }
  }

  /** Why it doesn't serve; empty when it does. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }
}
