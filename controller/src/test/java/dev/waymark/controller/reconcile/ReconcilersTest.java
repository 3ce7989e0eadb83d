package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.controller.ConfigurationReader;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.FakeApiServer.Write;
import dev.waymark.trainer.api.RuntimeRef;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reconcilers make of TrainJobs, and keep. */
class ReconcilersTest extends OnFakeApiServer {

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

  /** As many as are configured, and no more. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void reconcilesTrainJobsAtOnce(int workers) throws Exception {
    reconcilers =
        reconcilers(
            ConfigurationReader.read(
                "test.yaml",
                """
                apiVersion: config.trainer.kubeflow.org/v1alpha1
                kind: Configuration
                controller: {groupKindConcurrency: {TrainJob.trainer.kubeflow.org: %d}}
                """
                    .formatted(workers)),
            Reconcilers.RETRY);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger underWay = new AtomicInteger();
    observed.whenSeen =
        () -> {
          underWay.incrementAndGet();
          awaitQuietly(release);
        };
    reconcilers.start();
    for (int i = 0; i < 2 * workers; i++) {
      apiServer.put(
          TRAINJOB + i,
          """
          {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob",
           "metadata": {"name": "demo%d", "namespace": "team-a"},
           "spec": {"runtimeRef": {"name": "plain"}}}
          """
              .formatted(i));
    }

    await().until(() -> underWay.get() == workers);
    await().during(Duration.ofMillis(300)).until(() -> underWay.get() == workers);
    release.countDown();

    for (int i = 0; i < 2 * workers; i++) {
      String jobSet = JOBSET + i;
      await().until(() -> apiServer.get(jobSet).isPresent());
    }
  }

  @Test
  void theLastOfManyIsBegunWithTooOnceUsersPause() {
    reconcilers.start();
    for (int i = 0; i < 20; i++) {
      reconcilers.knowledge().runtime(new RuntimeRef("plain", null, null, null), "team-a");
    }

    createTrainJob("");

    await().until(() -> apiServer.get(JOBSET).isPresent());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
    await().untilAsserted(() -> assertThat(observed.finished).containsExactly("demo"));
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

  /** The CRD takes any number of seconds. */
  @ParameterizedTest
  @ValueSource(longs = {300_000_000_000L, 10_000_000_000_000_000L, Long.MAX_VALUE})
  void aTrainJobMayHaveMoreTimeThanThereIs(long seconds) {
    reconcilers.start();
    createTrainJob("\"activeDeadlineSeconds\": " + seconds);
    await().until(() -> apiServer.get(JOBSET).isPresent());

    complete();

    await().until(() -> condition("Complete").equals("True"));
    assertThat(condition("Failed")).isEmpty();
  }

  /** A reconcile that fails takes the framework's timer for its own next try, here in an hour. */
  @Test
  void endsATrainJobAtItsDeadlineEvenIfReconcilingFailedBefore() {
    reconcilers =
        reconcilers(
            ControllerConfiguration.DEFAULTS,
            new GenericRetry().setInitialInterval(Duration.ofHours(1).toMillis()));
    apiServer.refuse(write -> write.path().equals(JOBSET), 403, "not now");
    reconcilers.start();
    createTrainJob("\"activeDeadlineSeconds\": 2");

    await().until(() -> condition("Failed").equals("True"));
    assertThat(trainJob().at("/status/conditions/0/reason").asText()).isEqualTo("DeadlineExceeded");
    assertThat(events()).hasSize(1);
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
  void tellsOnceWhyTheAgentIsNotInjected() throws Exception {
    reconcilers =
        reconcilers(
            ConfigurationReader.read(
                "test.yaml",
                """
                apiVersion: config.trainer.kubeflow.org/v1alpha1
                kind: Configuration
                agentInjection: {image: "registry.example/waymark-agent:1"}
                """),
            Reconcilers.RETRY);
    reconcilers.start();
    createTrainJob(
        "{\"waymark.dev/inject-agent\": \"true\"}",
        "\"trainer\": {\"env\": [{\"name\": \"JAVA_TOOL_OPTIONS\", \"valueFrom\":"
            + " {\"configMapKeyRef\": {\"name\": \"jvm\", \"key\": \"options\"}}}]}");
    await().until(() -> !events().isEmpty());

    apiServer.change(TRAINJOB, "{\"spec\": {\"suspend\": true}}");
    await().until(() -> condition("Suspended").equals("True"));
    apiServer.change(TRAINJOB, "{\"spec\": {\"suspend\": false}}");
    await().until(() -> condition("Suspended").equals("False"));
    settle();

    assertThat(events())
        .containsExactly(
            "AgentNotInjected: waymark-agent is not injected: JAVA_TOOL_OPTIONS of container node"
                + " has its value from elsewhere (valueFrom)");
    assertThat(paths("PATCH")).noneMatch(path -> path.contains("/events/"));
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

  /** Whose keys are there already: nobody's, as somebody put them there, or those of an owner. */
  @ParameterizedTest
  @CsvSource({"'', false", "1-2-3, false", "of-an-earlier-one, true"})
  void keepsSshKeysUnlessTheyBelongToAnother(String owner, boolean isOthers) {
    String secret = "/api/v1/namespaces/team-a/secrets/demo-mpi-ssh-auth";
    apiServer.change(RUNTIME, "{\"spec\": {\"mlPolicy\": {\"mpi\": {}}}}");
    ObjectNode keys = apiServer.put(secret, sshKeys(owner));
    reconcilers.start();
    createTrainJob("");

    if (isOthers) {
      await().until(() -> !events().isEmpty());
      assertThat(events().get(0))
          .contains(
              "Secret demo-mpi-ssh-auth is there already and belongs to TrainJob demo "
                  + "of-an-earlier-one");
      assertThat(apiServer.get(JOBSET)).isEmpty();
      apiServer.delete(secret);
    }
    await().until(() -> apiServer.get(JOBSET).isPresent());

    assertThat(apiServer.get(secret).orElseThrow().equals(keys)).isEqualTo(!isOthers);
    assertThat(trainJob().at("/status/conditions")).isEmpty();
  }

  private static String sshKeys(String owner) {
    String owners =
        owner.isEmpty()
            ? "[]"
            : "[{\"apiVersion\": \"trainer.kubeflow.org/v1alpha1\", \"kind\": \"TrainJob\","
                + " \"name\": \"demo\", \"controller\": true, \"uid\": \""
                + owner
                + "\"}]";
    return """
        {"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/ssh-auth",
         "metadata": {"name": "demo-mpi-ssh-auth", "namespace": "team-a", "ownerReferences": %s}}
        """
        .formatted(owners);
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
    await().untilAsserted(() -> assertThat(observed.finished).containsExactly("demo"));
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
  void theSnapshotIsTheRuntimeWithoutWhoWroteItsFields() {
    apiServer.change(RUNTIME, "{\"metadata\": {\"managedFields\": [{\"manager\": \"kubectl\"}]}}");
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(SNAPSHOT).isPresent());

    assertThat(apiServer.get(SNAPSHOT).orElseThrow().at("/data/runtime").asText())
        .contains("registry.example/app:1")
        .contains(uid(RUNTIME))
        .doesNotContain("managedFields");
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        TRAINER + "/trainjobs",
        TRAINER + "/trainingruntimes",
        "/apis/jobset.x-k8s.io/v1alpha2/jobsets",
        "/api/v1/configmaps"
      })
  void startsAgainWhereAConnectionClosesBeforeACacheIsFilled(String list) {
    apiServer.drop(list);

    reconcilers.start();

    await().until(() -> reconcilers.notReady().isEmpty());
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());
    assertThat(reconcilers.dead()).isEmpty();
    settle();
    assertThat(paths("PATCH")).containsExactly(SNAPSHOT, TLS_CONFIG, JOBSET);
  }

  @Test
  void endsWhereItMayNotListWhatItReconciles() {
    apiServer.deny("/apis/jobset.x-k8s.io/v1alpha2/jobsets");

    assertThatThrownBy(() -> reconcilers.start()).hasStackTraceContaining("/jobsets is forbidden");
  }

  @Test
  void stopsTryingToStartWhenItIsClosed() {
    String list = TRAINER + "/trainjobs";
    Runnable answer = apiServer.hold(list);
    CompletableFuture<Void> start = CompletableFuture.runAsync(reconcilers::start);
    await().until(() -> apiServer.reads(list) == 1);

    apiServer.drop(list);
    answer.run();
    reconcilers.close();

    assertThat(start).failsWithin(Duration.ofSeconds(30));
  }

  /** TrainJobs are reconciled while other caches are still being filled. */
  @Test
  void newCertificatesThatComeWhileItStartsReachTrainJobsToo() {
    Runnable answer = apiServer.hold(TRAINER + "/trainingruntimes");
    createTrainJob("");
    CompletableFuture<Void> start = CompletableFuture.runAsync(reconcilers::start);
    await().until(() -> apiServer.get(TLS_CONFIG).isPresent());
    assertThat(start).isNotDone();

    trusted.change("new");
    answer.run();

    await()
        .until(
            () ->
                apiServer.get(TLS_CONFIG).orElseThrow().at("/data/ca.crt").asText().equals("new"));
    start.join();
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
}
