package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.FakeApiServer.Write;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole controller, as it ships, while it starts on an API server in memory. */
class ControllerTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String TRAINER = "/apis/trainer.kubeflow.org/v1alpha1";

  @TempDir Path folder;

  private final FakeApiServer apiServer = new FakeApiServer();
  private final List<String> fatal = new CopyOnWriteArrayList<>();
  private final int healthPort = ControllerEndpoints.freePort();
  private Controller controller;

  @BeforeEach
  void create() throws Exception {
    Path kubeconfig = apiServer.writeKubeconfig(folder);
    String configuration =
        """
        apiVersion: config.trainer.kubeflow.org/v1alpha1
        kind: Configuration
        webhook: {port: %d}
        statusServer: {port: %d}
        health: {healthProbeBindAddress: "127.0.0.1:%d"}
        metrics: {bindAddress: "127.0.0.1:%d"}
        """
            .formatted(
                ControllerEndpoints.freePort(),
                ControllerEndpoints.freePort(),
                healthPort,
                ControllerEndpoints.freePort());
    controller =
        new Controller(
            CommandLine.parse("--kubeconfig=" + kubeconfig, "--operator-namespace=ops")
                .orElseThrow(),
            ConfigurationReader.read("test.yaml", configuration),
            fatal::add);
  }

  @AfterEach
  void close() {
    controller.close();
    apiServer.close();
    assertThat(fatal).isEmpty();
  }

  /** Else a kubelet could take one for ready that can't answer the API server yet. */
  @Test
  void isNotReadyBeforeItsLastComponentIs() throws Exception {
    Runnable release = apiServer.hold(TRAINER + "/trainjobs");
    CompletableFuture<Void> start = CompletableFuture.runAsync(this::start);

    await().atMost(LIMIT).ignoreExceptions().until(() -> ready().statusCode() == 503);
    assertThat(ready().body())
        .contains("reconcilers: ", "webhooks: ", "status-server: ", "metrics: ");

    release.run();
    start.join();
  }

  /** With a certificate of its own it has to make one first, or to wait for that of another. */
  @Test
  void servesTrainJobsThatWereThereBeforeItsCertificate() throws Exception {
    apiServer.put(
        TRAINER + "/clustertrainingruntimes/plain",
        """
        {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime",
         "metadata": {"name": "plain"},
         "spec": {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": {"spec":
           {"template": {"spec": {"containers": [{"name": "node", "image": "x"}]}}}}}]}}}}
        """);
    apiServer.put(
        TRAINER + "/namespaces/team-a/trainjobs/demo",
        """
        {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob",
         "metadata": {"name": "demo", "namespace": "team-a"},
         "spec": {"runtimeRef": {"name": "plain"}}}
        """);
    Runnable release =
        apiServer.hold("/api/v1/namespaces/ops/secrets/kubeflow-trainer-webhook-cert");
    CompletableFuture<Void> start = CompletableFuture.runAsync(this::start);
    await().atMost(LIMIT).ignoreExceptions().until(() -> ready().statusCode() == 503);
    await().during(Duration.ofSeconds(2)).until(() -> apiServer.writes().isEmpty());
    release.run();
    start.join();

    await()
        .atMost(LIMIT)
        .until(
            () ->
                apiServer
                    .get("/apis/jobset.x-k8s.io/v1alpha2/namespaces/team-a/jobsets/demo")
                    .isPresent());
    assertThat(apiServer.writes())
        .extracting(Write::path)
        .noneMatch(path -> path.endsWith("/events"));
  }

  private void start() {
    try {
      controller.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<String> ready() throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + healthPort + "/readyz");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
