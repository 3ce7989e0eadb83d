package dev.waymark.cli.cluster.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.cli.cluster.dashboard.Dashboard;
import dev.waymark.cli.cluster.tests.Waymark.Outcome;
import dev.waymark.cli.page.PageClient;
import dev.waymark.cli.page.PageClient.Events;
import dev.waymark.cli.page.PageClient.Response;
import dev.waymark.client.ClusterAccess;
import dev.waymark.client.CustomTrainer;
import dev.waymark.client.DeleteOptions;
import dev.waymark.client.Device;
import dev.waymark.client.Finding;
import dev.waymark.client.ListOptions;
import dev.waymark.client.LogLine;
import dev.waymark.client.LogOptions;
import dev.waymark.client.Step;
import dev.waymark.client.TrainJobHandle;
import dev.waymark.client.TrainOptions;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainerException;
import dev.waymark.client.Training;
import dev.waymark.client.TrainingEvent;
import dev.waymark.client.TrainingState;
import dev.waymark.client.WaitOptions;
import dev.waymark.controller.AccountKubeconfig;
import dev.waymark.controller.TestCertificate;
import dev.waymark.controller.webhook.WebhookManifests;
import dev.waymark.status.tls.Pem;
import dev.waymark.testbed.OnCluster;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The client and the command on a real API server, with the controller and the real JobSet. */
@OnCluster
class ClientOnClusterIT extends WithController {

  @Test
  void aTrainJobIsSeenFromItsBeginningToItsEnd() throws Exception {
    TrainJobHandle demo =
        client.train(
            "rt",
            CustomTrainer.builder().jar("/app.jar").resource("gpu", 4).build(),
            null,
            TrainOptions.named("demo"));
    Pod pod = kubelet.awaitPod("demo");
    await().until(() -> demo.get().state() == TrainingState.PENDING);
    assertThat(demo.get().steps())
        .extracting(Step::name, Step::podName, Step::device)
        .containsExactly(
            // One JVM, whatever the number of its GPUs: as the SDK counts, one process.
            tuple("node-0", pod.getMetadata().getName(), new Device("gpu", "1")));
    assertThat(pod.getSpec().getContainers().get(0).getResources().getLimits())
        .isEqualTo(Map.of("nvidia.com/gpu", new Quantity("4")));

    kubelet.run(pod);
    ToldProgress progress = new ToldProgress();
    assertThat(demo.await(WaitOptions.until(TrainingState.RUNNING)).numNodes()).isEqualTo(1);
    demo.watchProgress().subscribe(progress);
    assertThat(report(pod, 40)).isEqualTo(200);
    await().until(() -> progress.signals().contains(40));
    assertThat(demo.progress().orElseThrow().progressPercentage()).isEqualTo(40);
    assertThat(client.list().items()).extracting(Training::name).containsExactly("demo");
    await()
        .untilAsserted(
            () ->
                assertThat(demo.events())
                    .extracting(TrainingEvent::kind, TrainingEvent::reason)
                    .contains(tuple("Job", "SuccessfulCreate")));

    kubelet.succeed(pod);
    assertThat(demo.await(WaitOptions.untilComplete()).state()).isEqualTo(TrainingState.COMPLETE);
    await().until(() -> progress.signals().contains(ToldProgress.COMPLETE));
    demo.delete(DeleteOptions.standard().waiting(LIMIT));
    assertThatThrownBy(demo::get).isInstanceOf(TrainerException.NotFound.class);
  }

  @Test
  void suspendedOnesLoseTheirPodsAndGetThemBack() throws Exception {
    TrainJobHandle demo =
        client.train("rt", null, null, TrainOptions.builder().name("demo").suspend(true).build());
    assertThat(demo.await(WaitOptions.until(TrainingState.SUSPENDED)).reason())
        .isEqualTo("suspended by its spec");

    demo.resume();
    Pod first = kubelet.awaitPod("demo");
    kubelet.run(first);
    // The Kubeflow SDK calls it Created from now on (kubeflow/sdk#803).
    demo.await(WaitOptions.until(TrainingState.RUNNING));
    demo.suspend();
    await().until(() -> demo.get().steps().isEmpty());
    assertThat(demo.get().state()).isEqualTo(TrainingState.SUSPENDED);
  }

  @Test
  void logsAreFollowedOverACutConnection() throws Exception {
    assumeTrue(StandInNode.isPossibleIn(cluster), "a testbed of this checkout");
    TrainJobHandle demo = client.train("rt", null, null, TrainOptions.named("demo"));
    Pod pod = kubelet.awaitPod("demo");
    List<LogLine> lines = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(
            () -> {
              try {
                demo.logs(LogOptions.standard().following(), lines::add);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    try (StandInNode node = new StandInNode(cluster, admin)) {
      node.take(pod);
      node.says(pod, "2026-11-30T10:00:00.000000001Z one\n");
      kubelet.run(pod);
      await().until(() -> lines.size() == 1 && node.followers(pod) == 1);
      node.cut(pod);
      node.says(pod, "2026-11-30T10:00:00.000000002Z two\n");
      await().until(() -> lines.size() == 2);
      kubelet.succeed(pod);
      node.cut(pod);
      reading.join();
    }
    assertThat(lines).containsExactly(new LogLine("node-0", "one"), new LogLine("node-0", "two"));
  }

  @Test
  void commandsDoTheSame() throws Exception {
    Outcome submitted =
        waymark(
            "submit",
            "--name=npu",
            "--runtime=rt",
            "--image=app:2",
            "--npus=8",
            "--nodes=2",
            "--",
            "java",
            "-jar",
            "/app.jar");
    assertThat(submitted.err()).isEmpty();
    assertThat(submitted.out()).isEqualTo("TrainJob npu is submitted\n");
    assertThat(kubelet.awaitPod("npu").getSpec().getContainers().get(0).getResources().getLimits())
        .isEqualTo(Map.of("huawei.com/Ascend910", new Quantity("8")));
    await().until(() -> client.get("npu").steps().size() == 2);
    assertThat(waymark("get", "npu").out())
        .contains("State:       Pending\n")
        .containsPattern("node-1   npu-node-0-1-\\S+ +Pending +npu +1\n");
    await().until(() -> waymark("events", "npu").out().contains("SuccessfulCreate"));
    assertThat(waymark("wait", "npu", "--timeout=0").exitCode()).isEqualTo(4);
    assertThat(waymark("suspend", "npu").exitCode()).isZero();
    assertThat(waymark("list").out()).contains("Suspended");
    assertThat(waymark("runtimes").out()).containsPattern("rt +TrainingRuntime +djl");
    assertThat(waymark("delete", "npu").out()).isEqualTo("TrainJob npu is deleted\n");

    Outcome invalid = waymark("submit", "--runtime=rt", "--env", "PET_NNODES=2", "--", "java");
    assertThat(invalid.err()).contains("spec.trainer.env: PET_NNODES: set by the torch policy");
    assertThat(invalid.exitCode()).isEqualTo(2);
    assertThat(client.diagnose())
        .extracting(Finding::part, Finding::verdict)
        .contains(tuple("Trainer API", Finding.Verdict.OK), tuple("JobSet", Finding.Verdict.OK));
  }

  @Test
  void theDashboardShowsATrainJobAndSuspendsIt() throws Exception {
    client.train("rt", null, null, TrainOptions.named("demo"));
    String path = "/api/jobs/" + admin.getNamespace() + "/demo";
    try (Dashboard dashboard = Dashboard.open(client, ListOptions.standard(), 0)) {
      PageClient page = new PageClient(dashboard.url());
      try (Events events = page.events("/api/events", page.cookie())) {
        assertThat(events.next("rows").at("/rows/0/name").asText()).isEqualTo("demo");
        Pod pod = kubelet.awaitPod("demo");
        kubelet.run(pod);
        awaitRow(events, row -> row.path("phase").asText().equals("Running"));
        assertThat(report(pod, 40)).isEqualTo(200);
        awaitRow(events, row -> row.path("percent").asInt() == 40);
        assertThat(page.get(path, page.cookie()).json().at("/steps/0/pod").asText())
            .isEqualTo(pod.getMetadata().getName());
        await()
            .untilAsserted(
                () ->
                    assertThat(page.get(path + "/events", page.cookie()).body())
                        .contains("SuccessfulCreate"));

        assertThat(page.post(path + "/suspend", page.cookie(), page.origin()).status())
            .isEqualTo(200);
        awaitRow(events, row -> row.path("phase").asText().equals("Suspended"));
      }
    }
  }

  /** Rights as a project's onlookers have them. */
  @Test
  void whoMayOnlyLookIsToldSoByTheDashboard() throws Exception {
    client.train("rt", null, null, TrainOptions.named("demo"));
    for (String yaml :
        """
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: onlooker}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: onlooker}
        rules:
          - {apiGroups: [trainer.kubeflow.org], resources: ['*'], verbs: [get, list, watch]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: onlooker}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: onlooker}
        subjects: [{kind: ServiceAccount, name: onlooker}]
        """
            .split("---\n")) {
      admin
          .resource(
              admin.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
          .create();
    }
    Path kubeconfig =
        Files.writeString(folder.resolve("onlooker"), AccountKubeconfig.of(admin, "onlooker"));
    try (TrainerClient onlooker =
            TrainerClient.connect(
                ClusterAccess.standard()
                    .withKubeconfig(kubeconfig)
                    .withNamespace(admin.getNamespace()));
        Dashboard dashboard = Dashboard.open(onlooker, ListOptions.standard(), 0)) {
      PageClient page = new PageClient(dashboard.url());
      String path = "/api/jobs/" + admin.getNamespace() + "/demo/suspend";
      Response refused = page.post(path, page.cookie(), page.origin());

      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.body())
          .startsWith("No right to suspend TrainJob demo: ")
          .contains("onlooker", "cannot patch");
      assertThat(client.get("demo").isSuspended()).isFalse();
    }
  }

  private static void awaitRow(Events events, Predicate<JsonNode> wanted) throws IOException {
    JsonNode row;
    do {
      row = events.next("row").path("row");
    } while (!wanted.test(row));
  }

  /** As the launcher starts it. */
  @Test
  void theBuiltDashboardServesUntilItIsEnded() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Path.of("../target/waymark-cli-cluster.jar").toString(),
                "dashboard",
                "--kubeconfig=" + cluster.kubeconfig(),
                "-n",
                admin.getNamespace())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      assertThat(line).startsWith("Page: http://127.0.0.1:");
      PageClient page = new PageClient(URI.create(line.substring("Page: ".length())));
      try (Events events = page.events("/api/events", page.cookie())) {
        assertThat(events.next("rows").path("rows")).isEmpty();
        process.toHandle().destroy(); // that of the process itself closes its output, too
        events.next("bye");
      }
      assertThat(process.waitFor()).as("ended by SIGTERM").isEqualTo(128 + 15);
      assertThat(out.readLine()).isNull();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void theDoctorSeesThatTheApiServerDoesNotTrustTheController() throws Exception {
    String stranger = base64(TestCertificate.create().certificate());
    List<HasMetadata> webhooks = installWebhooks(stranger);
    try {
      await()
          .untilAsserted(
              () ->
                  assertThat(webhooksFound())
                      .returns(Finding.Verdict.FAILURE, Finding::verdict)
                      .extracting(Finding::message)
                      .asString()
                      .contains("the caBundle is not of the authority that signed"));
      admin.resourceList(webhooks).delete();
      installWebhooks(operator.authority());
      await()
          .untilAsserted(
              () -> // which a test's certificate does within the hour
              assertThat(webhooksFound().message())
                      .startsWith("the certificates of")
                      .contains("end at"));
    } finally {
      admin.resourceList(webhooks).delete();
    }
  }

  private List<HasMetadata> installWebhooks(String authority) {
    String yaml =
        WebhookManifests.ofNamespace(
            admin.getNamespace(), controller.endpoints().webhookPort(), authority);
    return admin.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create();
  }

  private Finding webhooksFound() {
    return client.diagnose().stream()
        .filter(it -> it.part().equals("webhooks"))
        .findFirst()
        .orElseThrow();
  }

  private static String base64(X509Certificate certificate) {
    return Base64.getEncoder()
        .encodeToString(Pem.of(List.of(certificate)).getBytes(StandardCharsets.US_ASCII));
  }

  /** As the launcher starts it. */
  @Test
  void theBuiltCommandRuns() throws Exception {
    Path jar = Path.of("../target/waymark-cli-cluster.jar");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                jar.toString(),
                "list",
                "--kubeconfig=" + cluster.kubeconfig(),
                "-n",
                admin.getNamespace())
            .redirectErrorStream(true)
            .start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("waymark: No TrainJobs in namespace " + admin.getNamespace() + "\n");
    assertThat(process.waitFor()).isZero();
  }

  /** One that the API server refuses because no schema of this client's knows better. */
  @Test
  void handsOnTheApiServersOwnWords() {
    TrainJob job = new TrainJob();
    job.getMetadata().setName("demo");
    job.setSpec(client.prepare("rt", null, null, TrainOptions.named("demo")).job().getSpec());
    client.train("rt", null, null, TrainOptions.named("demo"));

    assertThatThrownBy(() -> client.submit(client.prepare(job)))
        .isInstanceOf(TrainerException.Conflict.class)
        .hasMessageContaining("\"demo\" already exists");
    assertThatThrownBy(() -> client.get("other"))
        .isInstanceOf(TrainerException.NotFound.class)
        .hasMessage("TrainJob other is not in namespace " + admin.getNamespace());
  }
}
