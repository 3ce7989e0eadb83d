package dev.waymark.controller;

import dev.waymark.status.http.WebServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Finds out again and again whether one of the controller's own servers serves, by a connection
 * with its TLS handshake: without a certificate, or with a stuck event loop, there is none. Safe
 * for every thread.
 */
public final class ServingProbe {

  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /** Somebody waits for the first time that it serves. */
  private static final Duration INTERVAL_UNTIL_SERVED = Duration.ofMillis(100);

  /** Longer than a pause and a probe take together. */
  private static final Duration COUNTS = Duration.ofSeconds(30);

  /**
   * What a probe found.
   *
   * @param problem null: it serves
   * @param at on the clock
   */
  private record Answer(String problem, long at) {}

  private final ScheduledExecutorService executor;
  private final LongSupplier nanoClock;
  private volatile Answer last = new Answer("it has not started yet", 0);

  /**
   * Probes nothing yet.
   *
   * @param executor times the probes, which end with it
   */
  public ServingProbe(ScheduledExecutorService executor) {
    this(executor, System::nanoTime);
  }

  ServingProbe(ScheduledExecutorService executor, LongSupplier nanoClock) {
    this.executor = executor;
    this.nanoClock = nanoClock;
  }

  /** Begins to probe a server that listens. */
  public void start(WebServer server) {
    server
        .probe()
        .whenComplete(
            (served, failure) -> {
              tell(failure == null ? null : "no TLS handshake: " + failure.getMessage());
              probeAgain(server, failure == null ? INTERVAL : INTERVAL_UNTIL_SERVED);
            });
  }

  private void probeAgain(WebServer server, Duration pause) {
    try {
      var unused = executor.schedule(() -> start(server), pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      tell("it has been closed");
    }
  }

  private void tell(String problem) {
    last = new Answer(problem, nanoClock.getAsLong());
  }

  /** Why it doesn't serve, or nobody has found out for long; empty when it does. */
  public Optional<String> problem() {
    Answer found = last;
    Duration age = Duration.ofNanos(nanoClock.getAsLong() - found.at());
    return found.problem() == null && age.compareTo(COUNTS) > 0
        ? Optional.of("nobody has found out for " + age.toSeconds() + " s whether it serves")
        : Optional.ofNullable(found.problem());
  }
}
