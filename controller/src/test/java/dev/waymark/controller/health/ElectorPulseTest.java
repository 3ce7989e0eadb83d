package dev.waymark.controller.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.ControllerConfiguration.LeaderElection;
import dev.waymark.controller.FakeApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The framework's elector, on an API server in memory. */
class ElectorPulseTest {

  private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/home/leases/trainer";
  private static final LeaderElection SETTINGS =
      new LeaderElection(
          "trainer", "home", Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(20));
  private static final Duration PATIENCE = Duration.ofSeconds(75);

  private final FakeApiServer apiServer = new FakeApiServer();
  private final AtomicLong past = new AtomicLong();
  private final ElectorPulse pulse =
      new ElectorPulse(SETTINGS, () -> System.nanoTime() + past.get());
  private KubernetesClient client;
  private CompletableFuture<?> elector;

  @BeforeEach
  void connect() {
    client =
        new KubernetesClientBuilder()
            .withConfig(apiServer.clientConfiguration())
            .withHttpClientBuilderConsumer(
                builder -> builder.addOrReplaceInterceptor("pulse", pulse))
            .build();
  }

  @AfterEach
  void stop() {
    if (elector != null) {
      elector.cancel(true);
    }
    client.close();
    apiServer.close();
  }

  @Test
  void isAliveWhileItLeads() {
    elect();
    await().until(() -> apiServer.get(LEASE).isPresent());

    after(PATIENCE.plusSeconds(1));
    await().untilAsserted(() -> assertThat(pulse.dead()).isEmpty());
  }

  @Test
  void isAliveWhileAnotherLeads() {
    putLease(", \"renewTime\": \"2999-01-01T00:00:00.000000Z\"");
    elect();
    await().until(() -> apiServer.reads(LEASE) > 2);

    after(PATIENCE.plusSeconds(1));
    await().untilAsserted(() -> assertThat(pulse.dead()).isEmpty());
  }

  @Test
  void isAliveWhileTheApiServerRefuses() {
    apiServer.deny(LEASE);
    elect();
    await().until(() -> apiServer.reads(LEASE) > 2);

    after(PATIENCE.plusSeconds(1));
    await().untilAsserted(() -> assertThat(pulse.dead()).isEmpty());
  }

  /** Somebody made the Lease by hand. */
  @Test
  void isDeadWhenTheElectorHasEndedWithoutAWord() {
    putLease("");
    elect();
    await().until(() -> apiServer.reads(LEASE) > 0);
    assertThat(pulse.dead()).isEmpty();
    assertThat(elector).as("the framework says nothing of it").isNotDone();

    after(PATIENCE.plusSeconds(1));
    await().during(SETTINGS.retryPeriod().multipliedBy(30)).until(() -> pulse.dead().isPresent());
    assertThat(pulse.dead()).get().asString().contains("nobody has asked for the lease");
    assertThat(pulse.notReady()).as("webhooks and reports don't need the lead").isEmpty();
  }

  @Test
  void isNotDeadBeforeItHasBegun() {
    after(PATIENCE.plusSeconds(1));
    assertThat(pulse.dead()).isEmpty();

    pulse.start();
    after(PATIENCE.minusSeconds(1));
    assertThat(pulse.dead()).isEmpty();
  }

  private void elect() {
    pulse.start();
    elector =
        client
            .leaderElector()
            .withConfig(
                new LeaderElectionConfigBuilder()
                    .withName("trainer")
                    .withLock(new LeaseLock("home", "trainer", "me"))
                    .withLeaseDuration(SETTINGS.leaseDuration())
                    .withRenewDeadline(SETTINGS.renewDeadline())
                    .withRetryPeriod(SETTINGS.retryPeriod())
                    .withLeaderCallbacks(new LeaderCallbacks(() -> {}, () -> {}, leader -> {}))
                    .build())
            .build()
            .start();
  }

  private void putLease(String more) {
    apiServer.put(
        LEASE,
        "{\"apiVersion\": \"coordination.k8s.io/v1\", \"kind\": \"Lease\","
            + " \"metadata\": {\"name\": \"trainer\", \"namespace\": \"home\"},"
            + " \"spec\": {\"holderIdentity\": \"another\", \"leaseDurationSeconds\": 15,"
            + " \"leaseTransitions\": 1, \"acquireTime\": \"2026-01-02T03:04:05.000000Z\""
            + more
            + "}}");
  }

  private void after(Duration time) {
    past.addAndGet(time.toNanos());
  }
}
