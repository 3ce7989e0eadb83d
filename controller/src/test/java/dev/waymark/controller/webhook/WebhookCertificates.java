package dev.waymark.controller.webhook;

import static dev.waymark.controller.webhook.AdmissionCluster.LIMIT;
import static dev.waymark.controller.webhook.AdmissionCluster.OPERATOR;
import static dev.waymark.controller.webhook.AdmissionCluster.SECRET;
import static dev.waymark.controller.webhook.AdmissionCluster.TEAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.certificates.Certificates;
import dev.waymark.status.tls.Pem;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The webhooks' certificates: made, shared, put back, and exchanged under load. */
abstract class WebhookCertificates {

  /**
   * Certificates of the future are refused by the API server, so an exchange happens in the past:
   * it is due three hours ago, for an authority that was made nearly ten years ago.
   */
  private static final Instant DUE = Instant.now().minus(Duration.ofHours(3));

  private final AdmissionCluster cluster;

  WebhookCertificates(AdmissionCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void putsTheAuthoritiesInAgainWhenSomebodyTakesThemOut() {
    cluster
        .client()
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName("validator.trainer.kubeflow.org")
        .edit(
            configuration -> {
              configuration.getWebhooks().forEach(it -> it.getClientConfig().setCaBundle(null));
              return configuration;
            });

    await().atMost(LIMIT).untilAsserted(() -> assertThat(trusted()).isEqualTo(stored("ca.crt")));
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .untilAsserted(
            () -> cluster.createTrainJob("again" + UUID.randomUUID(), "{suspend: true}"));
  }

  @Test
  void replicasShareOneCertificate() throws Exception {
    try (Certificates other =
        Certificates.managed(
            cluster.client(), OPERATOR, SECRET, List.of("localhost"), cluster.clock())) {
      String before = stored("tls.crt");
      other.start();

      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(other.server().current())
                      .isEqualTo(cluster.certificates().server().current()));
      assertThat(stored("tls.crt")).isEqualTo(before);
    }
  }

  @Test
  void makesEverythingAgainWhenTheSecretIsEmptied() throws Exception {
    List<X509Certificate> before = authorities();

    cluster.emptySecret();

    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .untilAsserted(
            () -> assertThat(authorities()).hasSize(1).doesNotContainAnyElementsOf(before));
    cluster.awaitWebhooks();
    assertThat(trusted()).isEqualTo(stored("ca.crt"));
  }

  /** While users go on creating, the authority is exchanged and nobody is told no. */
  @Test
  void exchangesTheAuthorityUnderLoad() throws Exception {
    cluster.setClock(DUE.minus(Duration.ofDays(3650 - 90)));
    cluster.emptySecret();
    // The first certificate has ended long since; the next one lives as long as its authority.
    await().atMost(LIMIT).until(() -> !Instant.now().isBefore(end(shown())));
    cluster.lookAgainAt(DUE.minus(Duration.ofMinutes(1)));
    cluster.awaitWebhooks();
    List<X509Certificate> old = authorities();
    assertThat(old).hasSize(1);

    try (Load load = new Load()) {
      load.awaitMore(20);

      cluster.lookAgainAt(DUE);
      await().atMost(LIMIT).untilAsserted(() -> assertThat(authorities()).hasSize(2));
      X509Certificate next = authorities().get(0);
      assertThat(authorities().get(1)).isEqualTo(old.get(0));
      assertThat(shown().getIssuerX500Principal()).isEqualTo(old.get(0).getSubjectX500Principal());
      shown().verify(old.get(0).getPublicKey());
      await().atMost(LIMIT).untilAsserted(() -> assertThat(trusted()).isEqualTo(stored("ca.crt")));
      load.awaitMore(20);

      cluster.lookAgainAt(DUE.plus(Duration.ofHours(1)));
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .untilAsserted(() -> shown().verify(next.getPublicKey()));
      load.awaitMore(20);

      cluster.lookAgainAt(DUE.plus(Duration.ofHours(2)));
      await().atMost(LIMIT).untilAsserted(() -> assertThat(authorities()).containsExactly(next));
      await().atMost(LIMIT).untilAsserted(() -> assertThat(trusted()).isEqualTo(stored("ca.crt")));
      load.awaitMore(20);

      assertThat(load.failures).isEmpty();
    }
  }

  /** Users who go on creating TrainJobs; a dry run asks the webhooks, too. */
  private final class Load implements AutoCloseable {

    final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final List<Thread> users = new ArrayList<>();

    Load() {
      for (int i = 0; i < 3; i++) {
        Thread user = new Thread(this::create, "user-" + i);
        users.add(user);
        user.start();
      }
    }

    private void create() {
      while (!ended.get()) {
        try {
          cluster
              .client()
              .resource(AdmissionCluster.trainJob("load-" + UUID.randomUUID(), "{suspend: true}"))
              .inNamespace(TEAM)
              .dryRun()
              .create();
          created.incrementAndGet();
        } catch (KubernetesClientException e) {
          if (isRefusal(e)) {
            failures.add(e.toString());
          }
        }
      }
    }

    /** Not what was lost on the way, nor what an API server that is busy wants later. */
    private static boolean isRefusal(KubernetesClientException failure) {
      return failure.getCode() != 0 && failure.getCode() != 429;
    }

    void awaitMore(int many) {
      int now = created.get();
      await().atMost(LIMIT).until(() -> created.get() >= now + many || !failures.isEmpty());
    }

    @Override
    public void close() throws InterruptedException {
      ended.set(true);
      for (Thread user : users) {
        user.join();
      }
    }
  }

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }

  private X509Certificate shown() {
    return cluster.certificates().server().current().orElseThrow().leaf();
  }

  private List<X509Certificate> authorities() throws Exception {
    return Pem.certificates(stored("ca.crt"));
  }

  private String stored(String key) {
    Secret secret = cluster.client().secrets().inNamespace(OPERATOR).withName(SECRET).get();
    return decoded(secret.getData().get(key));
  }

  /** Whom the API server trusts; null when the webhooks differ. */
  private String trusted() {
    List<String> bundles = new ArrayList<>();
    cluster
        .client()
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName("validator.trainer.kubeflow.org")
        .get()
        .getWebhooks()
        .forEach(webhook -> bundles.add(webhook.getClientConfig().getCaBundle()));
    cluster
        .client()
        .admissionRegistration()
        .v1()
        .mutatingWebhookConfigurations()
        .withName("defaulter.trainer.kubeflow.org")
        .get()
        .getWebhooks()
        .forEach(webhook -> bundles.add(webhook.getClientConfig().getCaBundle()));
    return bundles.stream().distinct().count() == 1 ? decoded(bundles.get(0)) : null;
  }

  private static String decoded(String base64) {
    return base64 == null
        ? null
        : new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
  }
}
