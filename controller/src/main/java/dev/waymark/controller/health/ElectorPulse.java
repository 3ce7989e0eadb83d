package dev.waymark.controller.health;

import dev.waymark.controller.Component;
import dev.waymark.controller.ControllerConfiguration.LeaderElection;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Tells whether the leader elector lives, by its requests: while it does, it asks for the Lease at
 * every retry period, whether the API server answers or not. fabric8's (7.6.1) ends without a word
 * when it waits for the lead and meets anything but a refusal, such as a Lease without a {@code
 * renewTime}, and nobody begins it anew. A replica that is like that would never lead again.
 *
 * <p>That is a matter of liveness, since only a new process helps. It is none of readiness:
 * webhooks and reports don't need the lead, so taking the replica out of the Service would cure
 * nothing and take something away. Safe for every thread.
 */
public final class ElectorPulse implements Component, Interceptor {

  /** Longest silence of one that lives: a request with its repeats, on a server that hangs. */
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(60);

  private final String lease;
  private final Duration patience;
  private final LongSupplier nanoTime;

  private volatile boolean started;
  private volatile long lastBeat;

  /** Hears nothing yet; is to see each request of the controller's client. */
  public ElectorPulse(LeaderElection settings) {
    this(settings, System::nanoTime);
  }

  ElectorPulse(LeaderElection settings, LongSupplier nanoTime) {
    this.lease = "/leases/" + settings.leaseName();
    this.patience = settings.leaseDuration().plus(LONGEST_REQUEST);
    this.nanoTime = nanoTime;
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    if (request.uri().getPath().endsWith(lease)) {
      lastBeat = nanoTime.getAsLong();
    }
  }

  @Override
  public String name() {
    return "leader-elector";
  }

  /** To be called when the elector has been started. */
  @Override
  public void start() {
    lastBeat = nanoTime.getAsLong();
    started = true;
  }

  @Override
  public Optional<String> notReady() {
    return Optional.empty();
  }

  @Override
  public Optional<String> dead() {
    Duration silence = Duration.ofNanos(nanoTime.getAsLong() - lastBeat);
    return started && silence.compareTo(patience) > 0
        ? Optional.of("nobody has asked for the lease for " + silence.toSeconds() + " s")
        : Optional.empty();
  }

  @Override
  public void close() {
    started = false;
  }
}
