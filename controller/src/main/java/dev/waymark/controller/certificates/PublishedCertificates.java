package dev.waymark.controller.certificates;

import dev.waymark.status.tls.ServerCertificate;
import dev.waymark.status.tls.ServerIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the servers show and what their clients should trust, right now. Safe for every thread. */
final class PublishedCertificates {

  private static final Logger log = LoggerFactory.getLogger(PublishedCertificates.class);

  private final ServerCertificate server = new ServerCertificate();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  private final CountDownLatch first = new CountDownLatch(1);

  private volatile String authorities;

  /** Shown by the servers, from their next handshake on. */
  ServerCertificate server() {
    return server;
  }

  /** PEM of those that clients should trust; empty when none is known. */
  Optional<String> authorities() {
    return Optional.ofNullable(authorities);
  }

  void onAuthoritiesChanged(Runnable listener) {
    listeners.add(listener);
  }

  /**
   * Replaces both.
   *
   * @param newAuthorities PEM, or null when none is known
   */
  void publish(ServerIdentity identity, String newAuthorities) {
    if (!identity.equals(server.current().orElse(null))) {
      server.replace(identity);
      log.info(
          "Servers show certificate {} of {}, good until {}",
          identity.leaf().getSerialNumber().toString(16),
          identity.leaf().getIssuerX500Principal().getName(),
          identity.leaf().getNotAfter().toInstant());
    }
    if (newAuthorities != null && !newAuthorities.equals(authorities)) {
      authorities = newAuthorities;
      listeners.forEach(Runnable::run);
    }
    first.countDown();
  }

  /** Waits for the first ones; false when none have come. */
  boolean await(Duration limit) throws InterruptedException {
    return first.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Why clients can't be served; empty when they can. */
  Optional<String> problem(Instant now) {
    Optional<ServerIdentity> shown = server.current();
    if (shown.isEmpty()) {
      return Optional.of("there is no server certificate yet");
    }
    Instant end = shown.get().leaf().getNotAfter().toInstant();
    return now.isBefore(end)
        ? Optional.empty()
        : Optional.of("the server certificate ended at " + end);
  }
}
