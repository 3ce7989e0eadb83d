package dev.waymark.cli.cluster.tests;

import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.TRAIN_JOBS;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.condition;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.waymark.client.ClusterAccess;
import dev.waymark.client.ClusterVersion;
import dev.waymark.client.CustomTrainer;
import dev.waymark.client.DeleteOptions;
import dev.waymark.client.Device;
import dev.waymark.client.ListOptions;
import dev.waymark.client.Listing;
import dev.waymark.client.LogLine;
import dev.waymark.client.LogOptions;
import dev.waymark.client.RuntimeKind;
import dev.waymark.client.Skipped;
import dev.waymark.client.Step;
import dev.waymark.client.TrainJobHandle;
import dev.waymark.client.TrainOptions;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainerException;
import dev.waymark.client.TrainerRuntime;
import dev.waymark.client.Training;
import dev.waymark.client.TrainingEvent;
import dev.waymark.client.TrainingState;
import dev.waymark.client.WaitOptions;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainerClientTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String RUNNING = "{phase: Running}";

  @TempDir Path folder;

  private TrainJobsOnFakeApiServer cluster;
  private TrainerClient client;

  @BeforeEach
  void connect() throws Exception {
    cluster = new TrainJobsOnFakeApiServer(folder);
    cluster.runtime("rt");
    client = TrainerClient.connect(ClusterAccess.standard().withKubeconfig(cluster.kubeconfig()));
  }

  @AfterEach
  void disconnect() {
    client.close();
    cluster.close();
  }

  @Test
  void listsRuntimesOfBothKindsAndSaysWhyOthersAreLeftOut() {
    cluster.put(
        "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes/bare",
        "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: ClusterTrainingRuntime, metadata:"
            + " {name: bare}, spec: {mlPolicy: {numNodes: 1}}}");
    namespacedRuntime();

    Listing<TrainerRuntime> found = client.runtimes();
    assertThat(found.items())
        .extracting(TrainerRuntime::kind, TrainerRuntime::name, TrainerRuntime::device)
        .containsExactly(
            tuple(RuntimeKind.CLUSTER_TRAINING_RUNTIME, "rt", new Device("gpu", "2")),
            tuple(RuntimeKind.TRAINING_RUNTIME, "rt", new Device(Device.UNKNOWN, Device.UNKNOWN)));
    assertThat(found.skipped())
        .containsExactly(
            new Skipped(
                "ClusterTrainingRuntime bare", "has no label trainer.kubeflow.org/framework"));
  }

  @Test
  void ofTwoRuntimesThatShareANameTheNamespacesOwnIsMeant() {
    assertThat(client.runtime("rt").kind()).isEqualTo(RuntimeKind.CLUSTER_TRAINING_RUNTIME);

    namespacedRuntime();
    assertThat(client.runtime("rt").kind()).isEqualTo(RuntimeKind.TRAINING_RUNTIME);
    TrainerRuntime ofCluster = client.runtime(RuntimeKind.CLUSTER_TRAINING_RUNTIME, "rt");
    assertThat(ofCluster.image()).isEqualTo("img");
    client.train("rt", null, null, TrainOptions.named("own"));
    client.train(ofCluster, null, null, TrainOptions.named("other"));
    assertThat(client.list().items())
        .extracting(Training::name, it -> it.runtime().kind())
        .containsExactly(
            tuple("other", RuntimeKind.CLUSTER_TRAINING_RUNTIME),
            tuple("own", RuntimeKind.TRAINING_RUNTIME));
    assertThatThrownBy(() -> client.runtime("nowhere"))
        .isInstanceOf(TrainerException.NotFound.class)
        .hasMessage("ClusterTrainingRuntime nowhere is not there");
  }

  @Test
  void trainsAndTellsTheName() {
    TrainJobHandle demo =
        client.train(
            "rt",
            CustomTrainer.builder().image("app:1").resource("memory", "8Gi").build(),
            null,
            TrainOptions.named("demo"));
    TrainJobHandle random = client.train("rt", null, null, TrainOptions.none());

    assertThat(demo.name()).isEqualTo("demo");
    assertThat(random.name()).matches("[a-z][0-9a-f]{11}");
    assertThat(cluster.api().get(TRAIN_JOBS + "/demo").orElseThrow().path("spec"))
        .hasToString(
            "{\"runtimeRef\":{\"name\":\"rt\",\"apiGroup\":\"trainer.kubeflow.org\","
                + "\"kind\":\"ClusterTrainingRuntime\"},\"trainer\":{\"image\":\"app:1\","
                + "\"resourcesPerNode\":{\"limits\":{\"memory\":\"8Gi\",\"nvidia.com/gpu\":\"1\"},"
                + "\"requests\":{\"memory\":\"8Gi\",\"nvidia.com/gpu\":\"1\"}}}}");
    assertThat(demo.get().state()).isEqualTo(TrainingState.CREATED);
  }

  /** As the API server fills it in: a cluster's, unless it is said. */
  @Test
  void aTrainJobThatIsWrittenAlreadyNamesAClustersRuntimeUnlessItSaysSo() {
    namespacedRuntime();

    assertThat(client.prepare(written("{name: rt}")).job().getMetadata().getNamespace())
        .isEqualTo("team-a");
    assertThatThrownBy(() -> client.prepare(written("{name: own}")))
        .isInstanceOf(TrainerException.NotFound.class)
        .hasMessage("ClusterTrainingRuntime own is not there");
    assertThatThrownBy(() -> client.prepare(written("{name: own, kind: TrainingRuntime}")))
        .hasMessage("TrainingRuntime own is not there");
  }

  private static TrainJob written(String runtimeRef) {
    return TrainerDocuments.read(
            "test.yaml",
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: demo}
            spec: {runtimeRef: %s}
            """
                .formatted(runtimeRef))
        .trainJobs()
        .get(0);
  }

  @Test
  void handsOnWhatTheClusterRefuses() {
    cluster.api().refuse(write -> true, 409, "trainjobs \"demo\" already exists");
    assertThatThrownBy(() -> client.train("rt", null, null, TrainOptions.named("demo")))
        .isInstanceOf(TrainerException.Conflict.class)
        .hasMessage("Could not create TrainJob demo: trainjobs \"demo\" already exists");

    cluster.api().refuse(write -> true, 403, "admission webhook \"v\" denied the request: no");
    assertThatThrownBy(() -> client.train("rt", null, null, TrainOptions.named("demo")))
        .isInstanceOf(TrainerException.Invalid.class)
        .hasMessage("no");
  }

  /** kubeflow/sdk#797: one TrainJob whose runtime was deleted hid all others. */
  @Test
  void oneBadTrainJobHidesNoOthers() {
    cluster.trainJob("good", "");
    cluster.pod("good", 0, RUNNING);
    cluster.pod("good", 1, RUNNING);
    cluster.put(
        TRAIN_JOBS + "/orphan",
        "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: orphan,"
            + " namespace: team-a}, spec: {runtimeRef: {name: deleted}}}");
    cluster.put(
        TRAIN_JOBS + "/odd",
        "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: odd,"
            + " namespace: team-a}, spec: {runtimeRef: {name: rt}, trainer: {numNodes: many}}}");

    Listing<Training> found = client.list();
    assertThat(found.items())
        .extracting(Training::name, Training::state, Training::numNodes)
        .containsExactly(
            tuple("good", TrainingState.RUNNING, 2), tuple("orphan", TrainingState.CREATED, 1));
    assertThat(found.skipped())
        .singleElement()
        .asString()
        .startsWith("TrainJob odd: can't be read: spec.trainer.numNodes: ");
    assertThat(client.list(ListOptions.standard().ofRuntime("deleted")).items())
        .extracting(Training::name)
        .containsExactly("orphan");
    assertThatThrownBy(() -> client.get("odd")).isInstanceOf(TrainerException.Unsupported.class);
  }

  @Test
  void runtimesAreReadOnlyWhereATrainJobLeavesSomethingToThem() {
    String runtimes = "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes";
    ListOptions options = ListOptions.standard().withoutRuntimes();
    cluster.put(
        TRAIN_JOBS + "/said",
        "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: said,"
            + " namespace: team-a}, spec: {runtimeRef: {name: rt}, trainer: {numNodes: 3,"
            + " resourcesPerNode: {limits: {cpu: '2'}}}}}");
    assertThat(client.list(options).items())
        .extracting(Training::name, Training::numNodes, it -> it.device().toString())
        .containsExactly(tuple("said", 3, "cpu x 2"));
    assertThat(cluster.api().reads(runtimes)).isZero();

    cluster.trainJob("open", "");
    assertThat(client.list(options).items())
        .extracting(Training::name, Training::numNodes, it -> it.device().toString())
        .containsExactly(tuple("open", 2, "gpu x 1"), tuple("said", 3, "cpu x 2"));
    assertThat(cluster.api().reads(runtimes)).isEqualTo(1);
  }

  @Test
  void getAndListSayTheSame() {
    cluster.trainJob("demo", "status: {trainerStatus: {progressPercentage: 42}}");
    cluster.pod("demo", 0, RUNNING);
    cluster.pod("demo", 1, "{phase: Pending}");

    Training demo = client.get("demo");
    assertThat(demo).isEqualTo(client.list().items().get(0));
    assertThat(demo.state()).isEqualTo(TrainingState.PENDING);
    assertThat(demo.steps())
        .extracting(Step::name, Step::phase, Step::device)
        .containsExactly(
            tuple("node-0", "Running", new Device("gpu", "1")),
            tuple("node-1", "Pending", new Device("gpu", "1")));
    assertThat(client.progress("demo"))
        .hasValueSatisfying(status -> assertThat(status.progressPercentage()).isEqualTo(42));
  }

  @Test
  void aTrainJobIsToldToThoseWhoMayNotSeePods() {
    cluster.trainJob("demo", "");
    cluster.pod("demo", 0, RUNNING);
    cluster.api().deny(TrainJobsOnFakeApiServer.PODS);

    assertThat(client.get("demo").steps()).isEmpty();
    assertThat(client.list().items()).hasSize(1);
  }

  @Test
  void saysWhetherATrainJobOrItsTypeIsMissing() throws Exception {
    assertThatThrownBy(() -> client.get("nowhere"))
        .isInstanceOf(TrainerException.NotFound.class)
        .hasMessage("TrainJob nowhere is not in namespace team-a");

    cluster.api().lack(TRAIN_JOBS);
    assertThatThrownBy(() -> client.list())
        .isInstanceOf(TrainerException.Unsupported.class)
        .hasMessageContaining("has no trainer.kubeflow.org/v1alpha1");
  }

  @Test
  void saysWhatMayNotBeRead() {
    cluster.api().deny(TRAIN_JOBS);

    assertThatThrownBy(() -> client.list())
        .isInstanceOf(TrainerException.Denied.class)
        .hasMessageStartingWith("No right to list the TrainJobs of namespace team-a: ");
  }

  @Test
  void waitsUntilItIsCompleteAndTellsOfEachChange() {
    cluster.trainJob("demo", "");
    List<TrainingState> seen = new CopyOnWriteArrayList<>();
    CompletableFuture<Training> waiting =
        awaiting(WaitOptions.untilComplete().onChange(it -> seen.add(it.state())));
    await().until(() -> seen.contains(TrainingState.CREATED));
    cluster.pod("demo", 0, RUNNING);
    cluster.pod("demo", 1, RUNNING);
    await().until(() -> seen.contains(TrainingState.RUNNING));
    cluster.change("demo", "status: {conditions: [" + condition("Complete", "done") + "]}");

    assertThat(waiting.join().state()).isEqualTo(TrainingState.COMPLETE);
    assertThat(seen).endsWith(TrainingState.COMPLETE);
  }

  /** kubeflow/sdk#662: a wait that goes on although the training has failed. */
  @Test
  void endsAtOnceWhenItFails() {
    cluster.trainJob("demo", "");
    List<TrainingState> seen = new CopyOnWriteArrayList<>();
    CompletableFuture<Training> waiting =
        awaiting(WaitOptions.untilComplete().onChange(it -> seen.add(it.state())));
    await().until(() -> !seen.isEmpty());
    cluster.pod(
        "demo",
        0,
        "{phase: Failed, containerStatuses: [{name: node, state: {terminated: {exitCode: 3}}}]}");
    cluster.change("demo", "status: {conditions: [" + condition("Failed", "1 pod failed") + "]}");

    assertThatThrownBy(waiting::join)
        .hasCauseInstanceOf(TrainerException.Failed.class)
        .hasMessageContaining(
            "TrainJob demo is Failed (R: 1 pod failed; node-0: container node exited with 3)");
  }

  /** kubeflow/sdk#696: waits in silence for an image that can't be pulled. */
  @Test
  void saysWhatItsPodsWaitForWhenTheTimeIsOver() {
    cluster.trainJob("demo", "");
    cluster.pod(
        "demo",
        0,
        "{phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason:"
            + " ImagePullBackOff, message: no such image}}}]}");

    assertThatThrownBy(
            () -> client.await("demo", WaitOptions.untilComplete().atMost(Duration.ZERO)))
        .isInstanceOf(TrainerException.TimedOut.class)
        .hasMessage("TrainJob demo is Pending (node-0: ImagePullBackOff: no such image) after 0s");
  }

  @Test
  void endsWhenItIsDeleted() {
    cluster.trainJob("demo", "");
    List<Training> seen = new CopyOnWriteArrayList<>();
    CompletableFuture<Training> waiting = awaiting(WaitOptions.untilComplete().onChange(seen::add));
    await().until(() -> !seen.isEmpty());
    cluster.api().delete(TRAIN_JOBS + "/demo");

    assertThatThrownBy(waiting::join).hasCauseInstanceOf(TrainerException.NotFound.class);
  }

  @Test
  void suspendsAndResumes() {
    cluster.trainJob("demo", "");

    assertThat(client.suspend("demo").state()).isEqualTo(TrainingState.SUSPENDED);
    assertThat(client.suspend("demo").isSuspended()).as("twice is once").isTrue();
    assertThat(client.resume("demo").state()).isEqualTo(TrainingState.CREATED);

    cluster.change("demo", "status: {conditions: [" + condition("Complete", "done") + "]}");
    assertThatThrownBy(() -> client.suspend("demo"))
        .isInstanceOf(TrainerException.Failed.class)
        .hasMessage("TrainJob demo is Complete: nothing of it runs any more");
  }

  @Test
  void deletingTwiceIsDeletingOnce() throws Exception {
    cluster.trainJob("demo", "");

    client.delete("demo", DeleteOptions.standard().waiting(LONG));
    assertThat(cluster.api().get(TRAIN_JOBS + "/demo")).isEmpty();
    client.delete("demo", DeleteOptions.standard());
  }

  /** kubeflow/sdk#580: the TrainJob that looked into a runtime was left behind. */
  @ParameterizedTest
  @CsvSource({"Complete, Succeeded", "Failed, Failed"})
  void looksIntoARuntimeAndLeavesNothingBehind(String condition, String phase) throws Exception {
    CompletableFuture<List<String>> looking =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return client.describeRuntime("rt", LONG);
              } catch (InterruptedException e) {
                throw new CompletionException(e);
              }
            });
    await().until(() -> !cluster.api().writes().isEmpty());
    String probe = cluster.api().writes().get(0).body().at("/metadata/name").asText();
    cluster.api().serve(log(probe, 0), "2026-11-30T10:00:00Z > java -version\n");
    cluster.pod(probe, 0, "{phase: " + phase + "}");
    cluster.change(probe, "status: {conditions: [" + condition(condition, "over") + "]}");

    if (phase.equals("Succeeded")) {
      assertThat(looking.join()).containsExactly("> java -version");
    } else {
      assertThatThrownBy(looking::join).hasCauseInstanceOf(TrainerException.Failed.class);
    }
    assertThat(cluster.api().get(TRAIN_JOBS + "/" + probe)).isEmpty();
  }

  @Test
  void readsALog() throws Exception {
    cluster.trainJob("demo", "");
    cluster.pod("demo", 0, RUNNING);
    cluster
        .api()
        .serve(
            log("demo", 0),
            "2026-11-30T10:00:00.1Z one\n2026-11-30T10:00:00.1Z \n2026-11-30T10:00:00.2Z two three\n");

    assertThat(lines(LogOptions.standard()))
        .extracting(LogLine::text)
        .containsExactly("one", "", "two three");
  }

  /** kubeflow/sdk#182: nothing, silently, while the pod is pending or absent. */
  @Test
  void waitsForThePodOfALog() throws Exception {
    cluster.trainJob("demo", "");
    cluster.api().serve(log("demo", 0), "2026-11-30T10:00:00Z one\n");
    CompletableFuture<List<LogLine>> reading =
        CompletableFuture.supplyAsync(() -> lines(LogOptions.standard()));
    await().until(() -> cluster.api().reads(TrainJobsOnFakeApiServer.PODS) > 0);
    cluster.pod("demo", 0, "{phase: Pending}");
    cluster.pod("demo", 0, RUNNING);

    assertThat(reading.join()).containsExactly(new LogLine("node-0", "one"));
  }

  @Test
  void saysWhyThereIsNoLog() {
    assertThatThrownBy(() -> lines(LogOptions.standard()))
        .hasCauseInstanceOf(TrainerException.NotFound.class);

    cluster.trainJob("demo", "");
    cluster.pod(
        "demo",
        0,
        "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason:"
            + " Unschedulable}]}");
    assertThatThrownBy(() -> lines(LogOptions.standard().withPatience(Duration.ZERO)))
        .hasCauseInstanceOf(TrainerException.TimedOut.class)
        .hasMessageContaining("step node-0 doesn't run yet: node-0: Unschedulable");

    cluster.change("demo", "status: {conditions: [" + condition("Complete", "done") + "]}");
    assertThatThrownBy(() -> lines(LogOptions.standard().ofStep("node-7")))
        .hasCauseInstanceOf(TrainerException.NotFound.class)
        .hasMessageContaining("step node-7 is not there; there is node-0");
  }

  @Test
  void followsAllNodesUntilTheyHaveEnded() throws Exception {
    cluster.trainJob("demo", "");
    for (int node = 0; node < 2; node++) {
      cluster.pod("demo", node, RUNNING);
      cluster.api().serve(log("demo", node), "2026-11-30T10:00:00Z of " + node + "\n");
    }
    List<LogLine> lines = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(
            () -> read(LogOptions.standard().ofAllNodes().following(), lines));
    await().until(() -> lines.size() == 2);
    cluster
        .api()
        .serve(log("demo", 0), "2026-11-30T10:00:00Z of 0\n2026-11-30T10:00:01Z more of 0\n");
    await().until(() -> lines.size() == 3);
    cluster.pod("demo", 0, "{phase: Succeeded}");
    cluster.pod("demo", 1, "{phase: Failed}");
    cluster.change("demo", "status: {conditions: [" + condition("Failed", "1 pod failed") + "]}");

    reading.join();
    assertThat(lines)
        .containsExactlyInAnyOrder(
            new LogLine("node-0", "of 0"),
            new LogLine("node-1", "of 1"),
            new LogLine("node-0", "more of 0"));
  }

  /** As when it is suspended and resumed, or JobSet starts it anew after a failure. */
  @Test
  void followsAStepToTheNextPodThoughThereIsNoneForAWhile() {
    cluster.trainJob("demo", "");
    cluster.pod("demo", 0, RUNNING);
    cluster.api().serve(log("demo", 0), "2026-11-30T10:00:00Z first\n");
    List<LogLine> lines = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(() -> read(LogOptions.standard().following(), lines));
    await().until(() -> lines.size() == 1);
    cluster.pod("demo", 0, "{phase: Failed}");
    awaitReads(2);
    cluster.api().delete(TrainJobsOnFakeApiServer.PODS + "/demo-node-0-0");
    awaitReads(2);
    assertThat(reading).isNotDone();

    cluster.api().serve(log("demo", 0), "2026-11-30T10:00:05Z second\n");
    cluster.pod("demo", 0, RUNNING);
    await().until(() -> lines.size() == 2);
    cluster.pod("demo", 0, "{phase: Succeeded}");
    reading.join();
    assertThat(lines).extracting(LogLine::text).containsExactly("first", "second");
  }

  @Test
  void aLogThatIsFollowedEndsWithItsTrainJob() {
    cluster.trainJob("demo", "");
    cluster.pod("demo", 0, RUNNING);
    cluster.api().serve(log("demo", 0), "2026-11-30T10:00:00Z first\n");
    List<LogLine> lines = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(() -> read(LogOptions.standard().following(), lines));
    await().until(() -> lines.size() == 1);
    cluster.api().delete(TrainJobsOnFakeApiServer.PODS + "/demo-node-0-0");
    awaitReads(2);
    cluster.change("demo", "status: {conditions: [" + condition("Failed", "too late") + "]}");

    reading.join();
    assertThat(lines).hasSize(1);
  }

  /** As when an API server starts anew: it takes longer than a call is tried again. */
  @Test
  void aLogIsFollowedOverAnOutageOfTheCluster() {
    cluster.trainJob("demo", "");
    cluster.pod("demo", 0, RUNNING);
    cluster.api().serve(log("demo", 0), "2026-11-30T10:00:00Z first\n");
    List<LogLine> lines = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(() -> read(LogOptions.standard().following(), lines));
    await().until(() -> lines.size() == 1);
    long before = cluster.api().reads(TRAIN_JOBS + "/demo");
    for (int i = 0; i < 8; i++) {
      cluster.api().drop(TRAIN_JOBS + "/demo"); // for two calls, each of which tries four times
    }
    await().atMost(LONG).until(() -> cluster.api().reads(TRAIN_JOBS + "/demo") > before + 8);
    assertThat(reading).isNotDone();

    cluster.api().serve(log("demo", 0), "2026-11-30T10:00:05Z second\n");
    cluster.pod("demo", 0, "{phase: Succeeded}");
    reading.join();
    assertThat(lines).extracting(LogLine::text).containsExactly("first", "second");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "demo/status", "../demo", "demo?a=b", "Demo", "de mo", ".", "demo%2f"})
  void whatIsNoNameReachesNoCluster(String name) {
    cluster.trainJob("demo", "");
    String refusal =
        "TrainJob "
            + name
            + ": metadata.name: \""
            + name
            + "\" is no name: at most 253 of a-z, 0-9,"
            + " - and .";

    assertThatThrownBy(() -> client.get(name))
        .isInstanceOf(TrainerException.Invalid.class)
        .hasMessage(refusal);
    assertThatThrownBy(() -> client.progress(name)).hasMessage(refusal);
    assertThatThrownBy(() -> client.events(name)).hasMessage(refusal);
    assertThatThrownBy(() -> client.suspend(name)).hasMessage(refusal);
    assertThatThrownBy(() -> client.delete(name, DeleteOptions.standard())).hasMessage(refusal);
    assertThatThrownBy(() -> client.await(name, WaitOptions.untilComplete())).hasMessage(refusal);
    assertThatThrownBy(() -> client.runtime(name)).isInstanceOf(TrainerException.Invalid.class);
    assertThatThrownBy(() -> client.inNamespace(name)).isInstanceOf(TrainerException.Invalid.class);
    assertThat(cluster.api().writes()).isEmpty();
  }

  /** Until the TrainJob was read so many times more. */
  private void awaitReads(int more) {
    long before = cluster.api().reads(TRAIN_JOBS + "/demo");
    await().until(() -> cluster.api().reads(TRAIN_JOBS + "/demo") >= before + more);
  }

  @Test
  void tellsTheEventsOfAllThatCameOfIt() {
    cluster.trainJob("demo", "");
    cluster.pod("demo", 0, RUNNING);
    cluster.put(
        "/apis/batch/v1/namespaces/team-a/jobs/demo-node-0",
        "{apiVersion: batch/v1, kind: Job, metadata: {name: demo-node-0, namespace: team-a, uid:"
            + " job}}");
    event("1", "{kind: Job, name: demo-node-0, uid: job}", "SuccessfulCreate");
    event("2", "{kind: TrainJob, name: demo, uid: uid-of-demo}", "Created");
    event("3", "{kind: Pod, name: demo-node-0-0-zzzzz, uid: gone}", "Evicted");
    event("4", "{kind: Pod, name: other, uid: other}", "Pulled");

    assertThat(client.events("demo"))
        .extracting(TrainingEvent::reason)
        .containsExactly("SuccessfulCreate", "Created", "Evicted");
  }

  @Test
  void publishesProgressUntilTheEnd() {
    cluster.trainJob("demo", "status: {trainerStatus: {progressPercentage: 1}}");
    ToldProgress told = new ToldProgress();
    client.watchProgress("demo").subscribe(told);
    await().until(() -> told.signals().contains(1));
    cluster.change("demo", "status: {trainerStatus: {progressPercentage: 50}}");
    await().until(() -> told.signals().contains(50));
    cluster.change("demo", "status: {conditions: [" + condition("Complete", "done") + "]}");

    await().until(() -> told.signals().contains(ToldProgress.COMPLETE));
    assertThat(told.signals()).containsExactly(1, 50, ToldProgress.COMPLETE);
  }

  @Test
  void tellsVersionsAndWhetherProgressIsReported() {
    cluster.put(
        "/api/v1/namespaces/kubeflow-system/configmaps/kubeflow-trainer-public",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: kubeflow-trainer-public, namespace:"
            + " kubeflow-system}, data: {kubeflow_trainer_version: v2.3.0}}");
    ClusterVersion before = client.version();
    assertThat(before.kubernetes()).isEqualTo("v1.34.1");
    assertThat(before.trainer()).isEqualTo("v2.3.0");
    assertThat(before.waymark()).isEmpty();
    assertThat(before.progress()).isEqualTo(ClusterVersion.Progress.UNKNOWN);

    cluster.trainJob("demo", "");
    cluster.pod("demo", 0, RUNNING);
    assertThat(client.version().progress()).isEqualTo(ClusterVersion.Progress.OFF);

    cluster.change("demo", "status: {trainerStatus: {progressPercentage: 1}}");
    assertThat(client.version().progress()).isEqualTo(ClusterVersion.Progress.ON);
  }

  private void namespacedRuntime() {
    cluster.put(
        "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team-a/trainingruntimes/rt",
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainingRuntime
        metadata: {name: rt, namespace: team-a, labels: {trainer.kubeflow.org/framework: dl4j}}
        spec:
          template:
            spec:
              replicatedJobs:
                - name: node
                  template:
                    metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                    spec: {template: {spec: {containers: [{name: node, image: own}]}}}
        """);
  }

  private void event(String name, String about, String reason) {
    cluster.put(
        "/api/v1/namespaces/team-a/events/" + name,
        "{apiVersion: v1, kind: Event, metadata: {name: '"
            + name
            + "', namespace: team-a}, involvedObject: "
            + about
            + ", reason: "
            + reason
            + ", eventTime: '2026-11-30T10:00:0"
            + name
            + ".000000Z'}");
  }

  private CompletableFuture<Training> awaiting(WaitOptions options) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return client.await("demo", options.atMost(LONG));
          } catch (InterruptedException e) {
            throw new CompletionException(e);
          }
        });
  }

  private List<LogLine> lines(LogOptions options) {
    List<LogLine> lines = new CopyOnWriteArrayList<>();
    read(options, lines);
    return lines;
  }

  private void read(LogOptions options, List<LogLine> lines) {
    try {
      client.logs("demo", options, lines::add);
    } catch (TrainerException e) {
      throw new CompletionException(e.getMessage(), e);
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }
}
