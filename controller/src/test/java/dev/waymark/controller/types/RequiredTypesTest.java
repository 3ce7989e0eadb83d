package dev.waymark.controller.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.FakeApiServer;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.PodEvents;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequiredTypesTest {

  private static final String JOB_SETS = "/apis/jobset.x-k8s.io/v1alpha2/jobsets";
  private static final String TRAINER = "/apis/trainer.kubeflow.org/v1alpha1";
  private static final String NO_JOB_SET =
      "this cluster lacks jobsets.jobset.x-k8s.io (to install: helm install jobset"
          + " oci://registry.k8s.io/jobset/charts/jobset --version 0.12.0"
          + " --namespace jobset-system --create-namespace)";

  private final FakeApiServer server = new FakeApiServer();
  private KubernetesClient client;
  private RequiredTypes types;

  @BeforeEach
  void connect() {
    client = server.newClient();
    ApiServer apiServer = new ApiServer(client);
    types =
        new RequiredTypes(
            apiServer,
            new PodEvents(apiServer, "ops", "pod-1", "pod-1_x", Clock.systemUTC()),
            Duration.ofMillis(20));
  }

  @AfterEach
  void close() {
    types.close();
    client.close();
    server.close();
  }

  @Test
  void doesNotWaitWhereAllAreThere() throws Exception {
    assertThat(types.notReady()).isPresent();

    types.start();

    assertThat(types.notReady()).isEmpty();
    assertThat(server.writes()).isEmpty();
  }

  @Test
  void waitsForWhatIsInstalledLaterAndTellsItOnce() {
    server.put(
        "/api/v1/namespaces/ops/pods/pod-1",
        "{\"metadata\": {\"name\": \"pod-1\", \"namespace\": \"ops\", \"uid\": \"u-1\"}}");
    Runnable install = server.lack(JOB_SETS);
    CompletableFuture<Void> start = start();

    await().untilAsserted(() -> assertThat(types.notReady()).contains(NO_JOB_SET));
    await().until(() -> server.writes().size() == 1);
    long looks = server.reads(JOB_SETS);
    await().until(() -> server.reads(JOB_SETS) > looks + 1);
    assertThat(start).isNotDone();

    install.run();
    await().until(start::isDone);
    assertThat(types.notReady()).isEmpty();
    assertThat(server.writes()).hasSize(1);
    JsonNode event = server.writes().get(0).body();
    assertThat(event.path("message").asText()).endsWith("because " + NO_JOB_SET);
    assertThat(event.path("reason").asText()).isEqualTo("TypesMissing");
    assertThat(event.at("/involvedObject/kind").asText()).isEqualTo("Pod");
    assertThat(event.at("/involvedObject/uid").asText()).isEqualTo("u-1");
  }

  @Test
  void tellsEachCommandOnce() {
    server.lack(JOB_SETS);
    server.lack(TRAINER + "/trainjobs");
    server.lack(TRAINER + "/trainingruntimes");
    CompletableFuture<Void> start = start();

    await()
        .untilAsserted(
            () ->
                assertThat(types.notReady())
                    .contains(
                        NO_JOB_SET
                            + "; trainjobs.trainer.kubeflow.org,"
                            + " trainingruntimes.trainer.kubeflow.org"
                            + " (to install: kubectl apply --server-side -f charts/waymark/crds)"));

    types.close();
    await().until(start::isDone);
    assertThat(types.notReady()).isPresent();
  }

  /** Who may not list a type can't tell that it is missing either. */
  @Test
  void leavesARefusalToTheReconcilers() throws Exception {
    server.deny(JOB_SETS);

    types.start();

    assertThat(types.notReady()).isEmpty();
  }

  private CompletableFuture<Void> start() {
    return CompletableFuture.runAsync(
        () -> {
          try {
            types.start();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
