package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.FakeApiServer;
import dev.waymark.controller.FakeApiServer.Write;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The reconcilers with the whole framework, on an API server in memory. */
class ReconcilersTest {

  private static final String TRAINER = "/apis/trainer.kubeflow.org/v1alpha1";
  private static final String TRAINJOB = TRAINER + "/namespaces/team-a/trainjobs/demo";
  private static final String JOBSET =
      "/apis/jobset.x-k8s.io/v1alpha2/namespaces/team-a/jobsets/demo";
  private static final String POD = "/spec/replicatedJobs/0/template/spec/template/spec";
  private static final String CONFIGMAPS = "/api/v1/namespaces/team-a/configmaps/";
  private static final String SNAPSHOT = CONFIGMAPS + "demo-runtime-snapshot";
  private static final String TLS_CONFIG = CONFIGMAPS + "demo-tls-config";
  private static final String RUNTIME = TRAINER + "/clustertrainingruntimes/plain";

  private final FakeApiServer apiServer = new FakeApiServer();
  private final Vertx vertx = Vertx.vertx();
  private final List<String> fatal = new CopyOnWriteArrayList<>();
  private final Observed observed = new Observed();
  private final Trusted trusted = new Trusted();
  private KubernetesClient client;
  private Reconcilers reconcilers;

  @BeforeEach
  void prepare() {
    apiServer.put(
        RUNTIME,
        """
        {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime",
         "metadata": {"name": "plain"},
         "spec": {"mlPolicy": {"numNodes": 1}, "template": {"spec": {"replicatedJobs": [{
           "name": "node", "template": {
             "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
             "spec": {"template": {"spec": {"containers": [
               {"name": "node", "image": "registry.example/app:1"}]}}}}}]}}}}
        """);
    client = client();
    reconcilers = reconcilers();
  }

  @AfterEach
  void stop() {
    reconcilers.close();
    client.close();
    vertx.close();
    apiServer.close();
    assertThat(fatal).isEmpty();
  }

  @Test
  void makesSnapshotHelpersAndJobSetWithOneWriteEach() {
    reconcilers.start();
    createTrainJob("");

    await().until(() -> apiServer.get(JOBSET).isPresent());
    settle();
    assertThat(paths("PATCH")).containsExactly(SNAPSHOT, TLS_CONFIG, JOBSET);
    assertThat(apiServer.writes())
        .allSatisfy(
            write -> assertThat(write.query()).isEqualTo("fieldManager=trainer&force=true"));
    assertThat(apiServer.get(TLS_CONFIG).orElseThrow().at("/data/ca.crt").asText())
        .isEqualTo("certificate");
    for (String path : List.of(SNAPSHOT, TLS_CONFIG, JOBSET)) {
      JsonNode owner = apiServer.get(path).orElseThrow().at("/metadata/ownerReferences/0");
      assertThat(owner.path("uid").asText()).isEqualTo(uid(TRAINJOB));
      assertThat(owner.path("controller").asBoolean()).isTrue();
    }
  }

  @Test
  void writesNothingWhenAllIsAsItShouldBe() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());
    settle();
    int writes = apiServer.writes().size();

    apiServer.change(TRAINJOB, "{\"metadata\": {\"labels\": {\"some\": \"label\"}}}");
    apiServer.change(JOBSET, "{\"metadata\": {\"labels\": {\"some\": \"label\"}}}");
    settle();

    assertThat(apiServer.writes()).hasSize(writes);
  }

  @Test
  void writesNothingAfterARestart() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());
    settle();
    int writes = apiServer.writes().size();

    reconcilers.close();
    reconcilers = reconcilers();
    reconcilers.start();
    settle();

    assertThat(apiServer.writes()).hasSize(writes);
  }

  @Test
  void isNotWokenByReports() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());
    settle();
    int seen = observed.seen.size();

    apiServer.change(TRAINJOB, "{\"status\": {\"trainerStatus\": {\"progressPercentage\": 7}}}");
    settle();

    assertThat(observed.seen).hasSize(seen);
  }

  @Test
  void copiesWhatTheJobSetSaysAndCountsTheEndOnce() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());

    apiServer.change(
        JOBSET,
        """
        {"status": {"conditions": [{"type": "Completed", "status": "True",
            "reason": "AllJobsCompleted", "message": "jobset completed successfully",
            "lastTransitionTime": "2026-01-02T03:04:05Z"}],
          "replicatedJobsStatus": [{"name": "node", "ready": 0, "succeeded": 1, "failed": 0,
            "active": 0, "suspended": 0}]}}
        """);

    await().until(() -> trainJob().at("/status/conditions/0/type").asText().equals("Complete"));
    assertThat(trainJob().at("/status/conditions/0/lastTransitionTime").asText())
        .isEqualTo("2026-01-02T03:04:05Z");
    assertThat(trainJob().at("/status/jobsStatus/0/succeeded").asInt()).isEqualTo(1);
    settle();
    assertThat(observed.finished).containsExactly("demo");
  }

  @Test
  void suspendsAndResumesWithoutTouchingTheTemplate() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());
    JsonNode pod = apiServer.get(JOBSET).orElseThrow().at(POD);

    apiServer.change(TRAINJOB, "{\"spec\": {\"suspend\": true}}");
    await().until(() -> apiServer.get(JOBSET).orElseThrow().at("/spec/suspend").asBoolean());
    await().until(() -> condition("Suspended").equals("True"));
    apiServer.change(TRAINJOB, "{\"spec\": {\"suspend\": false}}");
    await().until(() -> !apiServer.get(JOBSET).orElseThrow().at("/spec/suspend").asBoolean());
    await().until(() -> condition("Suspended").equals("False"));

    assertThat(pod.path("containers")).isNotEmpty();
    assertThat(apiServer.get(JOBSET).orElseThrow().at(POD)).isEqualTo(pod);
  }

  @Test
  void endsATrainJobAtItsDeadlineAndDeletesItsJobSetUntilItIsGone() {
    apiServer.refuse(write -> write.method().equals("DELETE"), 500, "not now");
    reconcilers.start();
    createTrainJob("\"activeDeadlineSeconds\": 1");

    await().until(() -> condition("Failed").equals("True"));
    assertThat(trainJob().at("/status/conditions/0/reason").asText()).isEqualTo("DeadlineExceeded");
    await().until(() -> apiServer.get(JOBSET).isEmpty());
    settle();
    assertThat(apiServer.get(JOBSET)).isEmpty();
  }

  @Test
  void tellsInAnEventWhyObjectsCanNotBeMadeAndTriesAgain() {
    apiServer.refuse(write -> write.path().equals(JOBSET), 403, "50%d of 100% refused");
    reconcilers.start();
    createTrainJob("");

    await().until(() -> apiServer.get(JOBSET).isPresent());
    JsonNode event =
        apiServer.writes().stream()
            .filter(write -> write.path().endsWith("/events"))
            .findFirst()
            .map(Write::body)
            .orElseThrow();
    assertThat(event.path("reason").asText()).isEqualTo("TrainJobResourcesCreationFailed");
    assertThat(event.path("message").asText())
        .isEqualTo("TrainJob resources reconciliation failed: 50%d of 100% refused");
    assertThat(event.path("involvedObject").path("name").asText()).isEqualTo("demo");
    assertThat(event.path("firstTimestamp").asText()).isNotEmpty();
  }

  @Test
  void leavesAJobSetOfSomebodyElseAlone() {
    ObjectNode foreign =
        apiServer.put(
            JOBSET,
            """
            {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
             "metadata": {"name": "demo", "namespace": "team-a"}, "spec": {"replicatedJobs": []},
             "status": {"conditions": [{"type": "Failed", "status": "True", "reason": "FailedJobs",
               "message": "", "lastTransitionTime": "2026-01-02T03:04:05Z"}]}}
            """);
    reconcilers.start();
    createTrainJob("");

    await()
        .until(
            () ->
                apiServer.writes().stream()
                    .anyMatch(
                        write ->
                            write.body().path("message").asText().contains("belongs to nobody")));
    assertThat(apiServer.get(JOBSET)).contains(foreign);
    assertThat(condition("Failed")).isEmpty();
  }

  @Test
  void leavesTrainJobsOfAnotherManagerAlone() {
    reconcilers.start();
    createTrainJob("\"managedBy\": \"kueue.x-k8s.io/multikueue\"");
    settle();

    assertThat(apiServer.writes()).isEmpty();
  }

  @Test
  void saysThatARuntimeOfAnUnknownKindIsNotSupported() {
    reconcilers.start();
    createTrainJob("\"runtimeRef\": {\"name\": \"x\", \"kind\": \"Job\", \"apiGroup\": \"batch\"}");

    await().until(() -> condition("Failed").equals("True"));
    assertThat(trainJob().at("/status/conditions/0/reason").asText())
        .isEqualTo("TrainingRuntimeNotSupported");
    settle();
    assertThat(observed.finished).containsExactly("demo");
  }

  @Test
  void aTrainJobThatCanNotBeReadHindersNoOther() {
    apiServer.put(
        TRAINER + "/namespaces/team-a/trainjobs/broken",
        """
        {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob",
         "metadata": {"name": "broken", "namespace": "team-a"},
         "spec": {"runtimeRef": {"name": "plain"}, "trainer": {"numNodes": "many"}}}
        """);
    reconcilers.start();
    createTrainJob("");

    await().until(() -> apiServer.get(JOBSET).isPresent());
    await()
        .until(
            () ->
                apiServer.writes().stream()
                    .anyMatch(
                        write ->
                            write
                                .body()
                                .path("message")
                                .asText()
                                .contains("spec.trainer.numNodes")));
  }

  @Test
  void bringsBackWhatWasDeleted() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());
    settle();

    for (String path : List.of(TLS_CONFIG, SNAPSHOT, JOBSET)) {
      apiServer.delete(path);
      await().until(() -> apiServer.get(path).isPresent());
    }
  }

  /** The API server refuses a status without anything in it. */
  @Test
  void leavesTheCountsOfAJobSetThatIsGoneUntilItsSuccessorHasSome() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());
    apiServer.change(
        JOBSET,
        """
        {"status": {"replicatedJobsStatus": [{"name": "node", "ready": 1, "succeeded": 0,
          "failed": 0, "active": 1, "suspended": 0}]}}
        """);
    await().until(() -> trainJob().at("/status/jobsStatus/0/active").asInt() == 1);

    apiServer.delete(JOBSET);
    await().until(() -> apiServer.get(JOBSET).isPresent());
    settle();

    assertThat(trainJob().at("/status/jobsStatus/0/active").asInt()).isEqualTo(1);
  }

  @Test
  void theSnapshotOutlivesTheRuntime() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());
    apiServer.delete(RUNTIME);

    apiServer.delete(JOBSET);
    await().until(() -> apiServer.get(JOBSET).isPresent());
    assertThat(apiServer.get(SNAPSHOT).orElseThrow().at("/data/runtime").asText())
        .contains("registry.example/app:1");
  }

  @Test
  void newCertificatesReachTheTrainJobsThatRun() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(TLS_CONFIG).isPresent());

    trusted.change("new");

    await()
        .until(
            () ->
                apiServer.get(TLS_CONFIG).orElseThrow().at("/data/ca.crt").asText().equals("new"));
  }

  @Test
  void takesTheOldFinalizerOffARuntimeThatIsBeingDeleted() {
    apiServer.change(
        RUNTIME,
        """
        {"metadata": {"deletionTimestamp": "2026-01-02T03:04:05Z",
          "finalizers": ["trainer.kubeflow.org/resource-in-use", "example.com/mine"]}}
        """);
    reconcilers.start();

    await()
        .until(
            () ->
                apiServer
                    .get(RUNTIME)
                    .orElseThrow()
                    .at("/metadata/finalizers")
                    .toString()
                    .equals("[\"example.com/mine\"]"));
  }

  private void createTrainJob(String more) {
    String runtimeRef = more.contains("runtimeRef") ? "" : "\"runtimeRef\": {\"name\": \"plain\"}";
    String separator = more.isEmpty() || runtimeRef.isEmpty() ? "" : ", ";
    apiServer.put(
        TRAINJOB,
        "{\"apiVersion\": \"trainer.kubeflow.org/v1alpha1\", \"kind\": \"TrainJob\", \"metadata\":"
            + " {\"name\": \"demo\", \"namespace\": \"team-a\"}, \"spec\": {"
            + runtimeRef
            + separator
            + more
            + "}}");
  }

  private String uid(String path) {
    return apiServer.get(path).orElseThrow().at("/metadata/uid").asText();
  }

  private JsonNode trainJob() {
    return apiServer.get(TRAINJOB).orElseThrow();
  }

  /** Status of a condition; empty without one. */
  private String condition(String type) {
    for (JsonNode condition : trainJob().at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText();
      }
    }
    return "";
  }

  private List<String> paths(String method) {
    return apiServer.writes().stream()
        .filter(write -> write.method().equals(method))
        .map(Write::path)
        .toList();
  }

  /** Waits until nothing has been written for a while. */
  private void settle() {
    int[] last = {-1};
    await()
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> {
              int now = apiServer.writes().size();
              boolean quiet = now == last[0];
              last[0] = now;
              return quiet;
            });
  }

  private KubernetesClient client() {
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(apiServer.url()).build();
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new VertxHttpClientFactory(vertx))
        .build();
  }

  private Reconcilers reconcilers() {
    return new Reconcilers(
        client,
        ControllerConfiguration.DEFAULTS,
        new Reconcilers.Home("ops", "test"),
        trusted,
        Metrics.NOOP,
        observed,
        fatal::add);
  }

  private static final class Trusted implements TrustAnchors {
    private volatile String pem = "certificate";
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    void change(String pem) {
      this.pem = pem;
      listeners.forEach(Runnable::run);
    }

    @Override
    public Optional<String> pem() {
      return Optional.of(pem);
    }

    @Override
    public void onChange(Runnable listener) {
      listeners.add(listener);
    }
  }

  private static final class Observed implements TrainJobObserver {
    final List<Instant> seen = new CopyOnWriteArrayList<>();
    final List<String> finished = new CopyOnWriteArrayList<>();

    @Override
    public void startedLeading(KnownRuntimes runtimes) {}

    @Override
    public void stoppedLeading() {}

    @Override
    public void seen(TrainJob trainJob) {
      seen.add(Instant.now());
    }

    @Override
    public void finished(TrainJob trainJob, TrainJobStatus status) {
      finished.add(trainJob.name());
    }

    @Override
    public void deleted(TrainJob trainJob) {}
  }
}
