package dev.waymark.controller.certificates;

import dev.waymark.controller.certificates.CertificateRenewal.Decision;
import dev.waymark.controller.kubernetes.ApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates that the controller makes and renews, in a Secret that all replicas share. Every
 * replica looks at the Secret, and at the webhooks' configurations, when they change and when
 * something is due, decides, writes what is missing and shows the result.
 */
final class ManagedCertificates implements CertificateSource {

  private static final Logger log = LoggerFactory.getLogger(ManagedCertificates.class);

  private static final Duration LONGEST_PAUSE = Duration.ofHours(12);
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final List<String> hosts;
  private final PublishedCertificates published;
  private final ScheduledExecutorService executor;
  private final Clock clock;
  private final CertificateSecret secret;
  private final WebhookConfigurations webhooks;
  private final List<SharedIndexInformer<?>> watches;

  private ScheduledFuture<?> next;
  private volatile String problem;

  /**
   * Does nothing yet.
   *
   * @param hosts names under which clients know the servers
   * @param executor does the work; of one thread, is ended by {@link #close()}
   */
  ManagedCertificates(
      KubernetesClient client,
      String namespace,
      String secretName,
      List<String> hosts,
      PublishedCertificates published,
      ScheduledExecutorService executor,
      Clock clock) {
    this.hosts = hosts;
    this.published = published;
    this.executor = executor;
    this.clock = clock;
    PatientApiServer apiServer = new PatientApiServer(new ApiServer(client));
    secret = new CertificateSecret(apiServer, namespace, secretName);
    webhooks = new WebhookConfigurations(apiServer);
    watches =
        List.of(
            client.secrets().inNamespace(namespace).withName(secretName).runnableInformer(0),
            client
                .admissionRegistration()
                .v1()
                .validatingWebhookConfigurations()
                .withName(WebhookConfigurations.VALIDATING)
                .runnableInformer(0),
            client
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(WebhookConfigurations.MUTATING)
                .runnableInformer(0));
  }

  @Override
  public void start() {
    lookAfter(Duration.ZERO);
    watches.forEach(this::watch);
  }

  private <T> void watch(SharedIndexInformer<T> informer) {
    informer.addEventHandler(
        new ResourceEventHandler<T>() {
          @Override
          public void onAdd(T object) {
            lookAfter(Duration.ZERO);
          }

          @Override
          public void onUpdate(T old, T object) {
            lookAfter(Duration.ZERO);
          }

          @Override
          public void onDelete(T object, boolean unknown) {
            lookAfter(Duration.ZERO);
          }
        });
    informer.exceptionHandler((started, failure) -> true);
    informer.start();
  }

  /** Plans the next look, unless one is planned that comes sooner. */
  private synchronized void lookAfter(Duration pause) {
    if (next != null) {
      if (next.getDelay(TimeUnit.MILLISECONDS) <= pause.toMillis()) {
        return;
      }
      next.cancel(false);
    }
    try {
      next = executor.schedule(this::look, pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("Closed", e);
    }
  }

  /** From here on, what changes needs another look: this one may have seen it, or not. */
  private synchronized void lookStarts() {
    next = null;
  }

  private void look() {
    lookStarts();
    try {
      Instant again = renew();
      problem = null;
      Duration pause = Duration.between(clock.instant(), again);
      lookAfter(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    } catch (RuntimeException e) {
      report("can't look after the certificates in " + secret + ": " + e.getMessage());
      lookAfter(RETRY);
    }
  }

  /** Tells the log what is new. */
  private void report(String found) {
    if (!found.equals(problem)) {
      log.warn("{}{}; will try again", Character.toUpperCase(found.charAt(0)), found.substring(1));
    }
    problem = found;
  }

  /**
   * Sees to it that all is as it should be.
   *
   * @return when to do so next
   */
  Instant renew() {
    CertificateSecret.Version read = secret.read();
    Decision decision =
        CertificateRenewal.decide(StoredCertificates.read(read.data()), hosts, clock.instant());
    String authorities = read.data().get(StoredCertificates.CA_CERTIFICATE);
    if (!decision.changes().isEmpty()) {
      var pem = decision.certificates().toPem();
      if (!secret.write(read, pem)) {
        // Another replica was faster: what it wrote counts.
        return clock.instant();
      }
      decision.changes().forEach(change -> log.info("Certificates: {}", change));
      authorities = pem.get(StoredCertificates.CA_CERTIFICATE);
    }
    try {
      // First, since who calls should trust a certificate before it is shown.
      webhooks.trust(authorities);
    } finally {
      published.publish(decision.certificates().server(), authorities);
    }
    return decision.lookAgain();
  }

  @Override
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  @Override
  public void close() {
    watches.forEach(SharedIndexInformer::stop);
    executor.shutdownNow();
  }
}
