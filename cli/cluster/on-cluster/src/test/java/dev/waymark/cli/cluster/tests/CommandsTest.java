package dev.waymark.cli.cluster.tests;

import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.TRAIN_JOBS;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.condition;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.waymark.cli.Main;
import dev.waymark.cli.cluster.tests.Waymark.Outcome;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {

  private static final String STATUS =
      "status: {trainerStatus: {progressPercentage: 42, estimatedRemainingSeconds: 65, metrics:"
          + " [{name: loss, value: '0.25'}]}}";

  @TempDir Path folder;

  private TrainJobsOnFakeApiServer cluster;
  private Waymark waymark;

  @BeforeEach
  void start() throws Exception {
    cluster = new TrainJobsOnFakeApiServer(folder);
    cluster.runtime("rt");
    waymark = new Waymark(cluster.kubeconfig());
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void submitsByFlags() {
    Outcome outcome =
        waymark.run(
            "submit",
            "--name",
            "demo",
            "--runtime",
            "rt",
            "--image",
            "app:1",
            "--nodes",
            "3",
            "--npus",
            "8",
            "--cpu",
            "4",
            "--memory",
            "32Gi",
            "--env",
            "A=1",
            "--env",
            "B=x=y",
            "--label",
            "team=a",
            "--deadline",
            "2h",
            "--pull-secret",
            "registry",
            "--",
            "java",
            "-jar",
            "/app.jar",
            "--name",
            "x");

    assertThat(outcome.err())
        .isEqualTo(
            "waymark: Note: resourcesPerNode: each node gets nvidia.com/gpu: 1 of"
                + " ClusterTrainingRuntime rt as well; say nvidia.com/gpu=0 if it is to have none\n");
    assertThat(outcome.out()).isEqualTo("TrainJob demo is submitted\n");
    assertThat(outcome.exitCode()).isZero();
    assertThat(cluster.api().get(TRAIN_JOBS + "/demo").orElseThrow().path("spec"))
        .hasToString(
            "{\"runtimeRef\":{\"name\":\"rt\",\"apiGroup\":\"trainer.kubeflow.org\","
                + "\"kind\":\"ClusterTrainingRuntime\"},\"trainer\":{\"image\":\"app:1\","
                + "\"command\":[\"java\",\"-jar\",\"/app.jar\",\"--name\",\"x\"],"
                + "\"env\":[{\"name\":\"A\",\"value\":\"1\"},{\"name\":\"B\",\"value\":\"x=y\"}],"
                + "\"numNodes\":3,\"resourcesPerNode\":{\"limits\":{\"huawei.com/Ascend910\":\"8\","
                + "\"cpu\":\"4\",\"memory\":\"32Gi\"},\"requests\":{\"huawei.com/Ascend910\":\"8\","
                + "\"cpu\":\"4\",\"memory\":\"32Gi\"}}},\"runtimePatches\":[{"
                + "\"manager\":\"waymark.dev/client\",\"trainingRuntimeSpec\":{\"template\":{"
                + "\"spec\":{\"replicatedJobs\":[{\"name\":\"node\",\"template\":{\"spec\":{"
                + "\"template\":{\"spec\":{\"imagePullSecrets\":[{\"name\":\"registry\"}]}}}}}]}}}}],"
                + "\"activeDeadlineSeconds\":7200}");
  }

  @Test
  void dryRunPrintsWhatItWouldSubmit() {
    Outcome outcome =
        waymark.run(
            "submit", "--name=demo", "--runtime=rt", "--image=app:1", "--gpus=2", "--dry-run");

    assertThat(outcome.out())
        .isEqualTo(
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata:
              name: demo
              namespace: team-a
            spec:
              runtimeRef:
                name: rt
                apiGroup: trainer.kubeflow.org
                kind: ClusterTrainingRuntime
              trainer:
                image: app:1
                resourcesPerNode:
                  limits:
                    nvidia.com/gpu: '2'
                  requests:
                    nvidia.com/gpu: '2'
            """);
    assertThat(cluster.api().writes()).isEmpty();
    assertThat(
            waymark.run("submit", "--name=demo", "--runtime=rt", "--dry-run", "-o", "json").out())
        .startsWith("{\n  \"apiVersion\" : \"trainer.kubeflow.org/v1alpha1\",");
  }

  @Test
  void submitsASourceFileAndAFileOfTrainJobs() throws Exception {
    Path source = Files.writeString(folder.resolve("Train.java"), "class Train {}");
    assertThat(
            waymark
                .run(
                    "submit",
                    "--runtime=rt",
                    "--name=by-source",
                    "--source=" + source,
                    "-o",
                    "name")
                .out())
        .isEqualTo("trainjob.trainer.kubeflow.org/by-source\n");
    assertThat(
            cluster
                .api()
                .get(TRAIN_JOBS + "/by-source")
                .orElseThrow()
                .at("/spec/trainer/command/4")
                .asText())
        .isEqualTo("class Train {}");

    Path file =
        Files.writeString(
            folder.resolve("jobs.yaml"),
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: one}
            spec: {runtimeRef: {name: rt}}
            ---
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: two}
            spec: {runtimeRef: {name: rt}}
            """);
    assertThat(waymark.run("submit", "-f", file.toString()).out())
        .isEqualTo("TrainJob one is submitted\nTrainJob two is submitted\n");
  }

  private static final String TWO_TRAIN_JOBS =
      """
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: TrainJob
      metadata: {name: one, namespace: team-b}
      spec: {runtimeRef: {name: rt}}
      ---
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: TrainJob
      metadata: {name: two}
      spec: {runtimeRef: {name: rt}}
      """;

  @Test
  void severalInYamlAreADocumentEach() throws Exception {
    Path file = Files.writeString(folder.resolve("jobs.yaml"), TWO_TRAIN_JOBS);
    Outcome outcome = waymark.run("submit", "--dry-run", "-f", file.toString());

    assertThat(TrainerDocuments.read("printed", outcome.out()).trainJobs())
        .extracting(TrainJob::name)
        .containsExactly("one", "two");
    cluster.trainJob("iris", "");
    cluster.trainJob("mnist", "");
    assertThat(
            TrainerDocuments.read(
                    "printed", waymark.run("suspend", "iris", "mnist", "-o", "yaml").out())
                .trainJobs())
        .hasSize(2);
  }

  @Test
  void submitsWhatIsPiped() {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(TWO_TRAIN_JOBS.getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(waymark.run("submit", "-f", "-").out())
          .isEqualTo("TrainJob one is submitted\nTrainJob two is submitted\n");
    } finally {
      System.setIn(before);
    }
  }

  /** Which need not be that of the context. */
  @Test
  void watchesWhereTheFileHasPutIt() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("one.yaml"), TWO_TRAIN_JOBS.substring(0, TWO_TRAIN_JOBS.indexOf("---")));
    String there = TRAIN_JOBS.replace("team-a", "team-b") + "/one";
    CompletableFuture<Outcome> watching =
        CompletableFuture.supplyAsync(
            () -> waymark.run("submit", "--watch", "-f", file.toString()));
    await().until(() -> watching.isDone() || cluster.api().reads(there) > 0);
    assertThat(watching).isNotDone();
    cluster
        .api()
        .change(
            there,
            "{\"status\": {\"conditions\": [{\"type\": \"Complete\", \"status\": \"True\"}]}}");

    assertThat(watching.join().out()).endsWith("one: Complete\n");
    assertThat(watching.join().exitCode()).isZero();
  }

  @Test
  void aPatchOfTheNodesReachesTheLauncherToo() {
    cluster.put(
        "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes/mpi",
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: ClusterTrainingRuntime
        metadata: {name: mpi, labels: {trainer.kubeflow.org/framework: mpi}}
        spec:
          mlPolicy: {numNodes: 2, mpi: {mpiImplementation: OpenMPI}}
          template:
            spec:
              replicatedJobs:
                - name: launcher
                  template:
                    metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                    spec: {template: {spec: {containers: [{name: node, image: img}]}}}
                - name: node
                  template: {spec: {template: {spec: {containers: [{name: node, image: img}]}}}}
                - name: other
                  template: {spec: {template: {spec: {containers: [{name: x, image: img}]}}}}
        """);
    Outcome outcome =
        waymark.run("submit", "--runtime=mpi", "--name=demo", "--pull-secret=registry");

    assertThat(outcome.err()).isEmpty();
    assertThat(cluster.api().get(TRAIN_JOBS + "/demo").orElseThrow().at("/spec/runtimePatches/0"))
        .hasToString(
            "{\"manager\":\"waymark.dev/client\",\"trainingRuntimeSpec\":{\"template\":{\"spec\":{"
                + "\"replicatedJobs\":["
                + "{\"name\":\"launcher\",\"template\":{\"spec\":{\"template\":{\"spec\":{"
                + "\"imagePullSecrets\":[{\"name\":\"registry\"}]}}}}},"
                + "{\"name\":\"node\",\"template\":{\"spec\":{\"template\":{\"spec\":{"
                + "\"imagePullSecrets\":[{\"name\":\"registry\"}]}}}}}]}}}}");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --image=x                                       | Say what it runs in, --runtime R
          --runtime=rt java x                             | A command goes behind two dashes: -- java x
          --runtime=rt --jar=/a.jar --source=T.java       | Either --jar or --source, not both
          --runtime=rt --java-option=-Xmx1g               | --java-option is for --jar
          --runtime=rt --package=numpy                    | --package and --index-url are for --source
          --runtime=rt --source=/nowhere/T.java           | --source: /nowhere/T.java is not there
          --runtime=rt --nodes=0                          | spec.trainer.numNodes: is 0: at least 1
          --runtime=rt --gpus=one                         | "one" is no quantity
          --runtime=rt --name=Demo                        | metadata.name: "Demo"
          --runtime=rt --env-from-secret=A=b              | write NAME=SECRET/KEY
          --runtime=rt --dataset=/data                    | write hf://org/name or s3://bucket/path
          --runtime=rt --deadline=soon                    | "soon" is no time: write 90s, 10m or 1h30m
          --runtime=rt -o xml                             | "xml" is none of table|json|yaml|name
          --runtime=rt --nodes=two                        | --nodes
          -f /nowhere/job.yaml                            | /nowhere/job.yaml is not there
          -f x.yaml --runtime=rt                          | Either flags or -f, not both
          -f x.yaml --gpus=2                              | the file says what to run, not --gpus
          -f x.yaml -e A=b                                | the file says what to run, not --env
          -f x.yaml -- java                               | the file says what to run, not -- java
          -f /                                            | waymark: / can't be read
          --runtime=rt --source=/                         | --source: / can't be read
          --runtime=rt --gpus=1 --resource=gpu=2          | --resource gpu=2: gpu is said twice
          --runtime=rt --resource=gpus=1                  | "gpus" is no resource
          --runtime=a/b                                   | "a/b" is no name
          """)
  void saysWhatIsWrongWithAnOrder(String arguments, String message) {
    String[] words = ("submit " + arguments).split(" ");
    Outcome outcome = waymark.run(words);

    assertThat(outcome.err()).contains(message);
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(cluster.api().writes()).isEmpty();
  }

  @Test
  void listsWithStateAndProgress() {
    cluster.trainJob("iris", STATUS);
    cluster.trainJob("mnist", "");
    cluster.pod("iris", 0, "{phase: Running}");
    cluster.pod("iris", 1, "{phase: Running}");

    assertThat(waymark.run("list").out().lines().map(line -> line.replaceAll(" +[0-9]+s$", " AGO")))
        .containsExactly(
            "NAME    STATE     PROGRESS   LEFT   RUNTIME   NODES   DEVICE    AGE",
            "iris    Running   42%        1:05   rt        2       gpu x 1 AGO",
            "mnist   Created                     rt        2       gpu x 1 AGO");
    assertThat(waymark.run("list", "-A", "-o", "name").out())
        .isEqualTo("trainjob.trainer.kubeflow.org/iris\ntrainjob.trainer.kubeflow.org/mnist\n");
    assertThat(waymark.run("list", "--runtime", "other").err())
        .isEqualTo("waymark: No TrainJobs in namespace team-a\n");
  }

  @Test
  void oneThatCannotBeReadIsToldBesideTheOthers() {
    cluster.trainJob("good", "");
    cluster.put(
        TRAIN_JOBS + "/odd",
        "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: odd,"
            + " namespace: team-a}, spec: {runtimeRef: {name: rt}, trainer: {numNodes: many}}}");

    Outcome outcome = waymark.run("list", "-o", "name");
    assertThat(outcome.out()).isEqualTo("trainjob.trainer.kubeflow.org/good\n");
    assertThat(outcome.err()).startsWith("waymark: Left out: TrainJob odd: can't be read: ");
    assertThat(outcome.exitCode()).isZero();
  }

  @Test
  void showsAllOfOne() {
    cluster.trainJob("iris", STATUS);
    cluster.pod("iris", 0, "{phase: Running}");
    cluster.pod(
        "iris",
        1,
        "{phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason:"
            + " ErrImagePull}}}]}");

    assertThat(waymark.run("get", "iris").out())
        .contains("Name:        iris\n")
        .contains("State:       Pending\n")
        .contains("Reason:      node-1: ErrImagePull\n")
        .contains("Device:      gpu x 1 a node\n")
        .contains("Progress:    42%, 1:05 left, loss 0.25\n")
        .contains("loss     0.25\n")
        .contains("node-0   iris-node-0-0   Running   gpu      1\n");
    assertThat(waymark.run("get", "iris", "-o", "yaml").out())
        .contains("kind: TrainJob\n")
        .contains("  trainerStatus:\n    progressPercentage: 42\n");
    Outcome missing = waymark.run("get", "nowhere");
    assertThat(missing.err()).isEqualTo("waymark: TrainJob nowhere is not in namespace team-a\n");
    assertThat(missing.exitCode()).isEqualTo(3);
  }

  @Test
  void watchesOneToItsEnd() {
    cluster.trainJob("iris", STATUS);
    CompletableFuture<Outcome> watching =
        CompletableFuture.supplyAsync(() -> waymark.run("watch", "iris"));
    await().until(() -> cluster.api().reads(TRAIN_JOBS + "/iris") > 0);
    cluster.change("iris", "status: {conditions: [" + condition("Complete", "done") + "]}");

    assertThat(watching.join().exitCode()).isZero();
    assertThat(watching.join().out()).endsWith("iris: Complete, 42%, 1:05 left, loss 0.25\n");
  }

  @Test
  void watchesSeveralAndEndsAsTheyDo() {
    cluster.trainJob("iris", "");
    cluster.trainJob("mnist", "status: {conditions: [" + condition("Complete", "done") + "]}");
    CompletableFuture<Outcome> watching =
        CompletableFuture.supplyAsync(() -> waymark.run("watch", "iris", "mnist"));
    await().until(() -> cluster.api().reads(TRAIN_JOBS) > 0);
    cluster.change("iris", "status: {conditions: [" + condition("Failed", "no disk") + "]}");

    assertThat(watching.join().out())
        .contains("mnist: Complete\n")
        .contains("iris: Failed, R: no disk\n");
    assertThat(watching.join().exitCode()).isEqualTo(1);
  }

  /** What was deleted will never have ended; what has ended may go. */
  @Test
  void ofSeveralOneThatGoesBeforeItsEndIsMissed() {
    cluster.trainJob("iris", "");
    cluster.trainJob("mnist", "status: {conditions: [" + condition("Complete", "done") + "]}");
    CompletableFuture<Outcome> watching =
        CompletableFuture.supplyAsync(() -> waymark.run("watch", "iris", "mnist"));
    await().until(() -> cluster.api().reads(TRAIN_JOBS) > 0);
    cluster.api().delete(TRAIN_JOBS + "/mnist");
    await().until(() -> cluster.api().reads(TRAIN_JOBS) > 3);
    assertThat(watching).isNotDone();
    cluster.api().delete(TRAIN_JOBS + "/iris");

    assertThat(watching.join().err())
        .isEqualTo("waymark: TrainJob iris is not in namespace team-a\n");
    assertThat(watching.join().exitCode()).isEqualTo(3);
  }

  /** As {@code | head -1} does. */
  @ParameterizedTest
  @ValueSource(strings = {"watch", "logs"})
  void endsWhenNobodyReadsItAnyMore(String command) throws Exception {
    cluster.trainJob("iris", "");
    cluster.pod("iris", 0, "{phase: Running}");
    cluster.api().serve(log("iris", 0), "2026-11-30T10:00:00Z one\n");
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                command,
                "--kubeconfig=" + cluster.kubeconfig()));
    words.addAll(command.equals("logs") ? List.of("iris", "-f") : List.of());
    Process writing =
        new ProcessBuilder(words)
            .redirectError(folder.resolve("error of " + command).toFile())
            .start();
    try {
      InputStream output = writing.getInputStream();
      assertThat(output.read()).isPositive();
      output.close();
      AtomicInteger change = new AtomicInteger();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                int percent = change.incrementAndGet();
                cluster.change(
                    "iris", "status: {trainerStatus: {progressPercentage: " + percent + "}}");
                cluster
                    .api()
                    .serve(
                        log("iris", 0),
                        "2026-11-30T10:00:%02dZ more\n".formatted(Math.min(percent, 59)));
                return !writing.isAlive();
              });

      assertThat(writing.exitValue()).isEqualTo(128 + 13);
      assertThat(folder.resolve("error of " + command)).content().doesNotContain("waymark:");
    } finally {
      writing.destroyForcibly();
    }
  }

  @ParameterizedTest(name = "{0}, {1}: {2} {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Complete |                            | 0 | TrainJob iris is Complete
          Failed   |                            | 1 | waymark: TrainJob iris is Failed (R: m)
          Failed   | --for failed               | 0 | TrainJob iris is Failed
          Complete | --for running,suspended    | 0 | TrainJob iris is Complete
          none     | --timeout 0                | 4 | waymark: TrainJob iris is Created after 0s
          none     | --for created              | 0 | TrainJob iris is Created
          none     | --for done                 | 2 | "done" is none of
          """)
  void waits(String condition, String arguments, int exitCode, String message) {
    cluster.trainJob(
        "iris",
        condition.equals("none")
            ? ""
            : "status: {conditions: [" + condition(condition, "m") + "]}");
    Outcome outcome =
        waymark.run(("wait iris " + (arguments == null ? "" : arguments)).strip().split(" "));

    assertThat(outcome.out() + outcome.err()).contains(message);
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void suspendsResumesAndDeletes() {
    cluster.trainJob("iris", "");

    assertThat(waymark.run("suspend", "iris").out()).isEqualTo("TrainJob iris is suspended\n");
    assertThat(suspended()).isTrue();
    assertThat(waymark.run("resume", "iris").out()).isEqualTo("TrainJob iris is resumed\n");
    assertThat(suspended()).isFalse();
    assertThat(waymark.run("delete", "iris").out()).isEqualTo("TrainJob iris is deleted\n");
    assertThat(cluster.api().get(TRAIN_JOBS + "/iris")).isEmpty();
    assertThat(waymark.run("delete", "iris").exitCode()).isEqualTo(3);
    assertThat(waymark.run("delete", "iris", "--ignore-not-found").exitCode()).isZero();
    assertThat(waymark.run("delete", "iris", "--cascade=all").exitCode()).isEqualTo(2);
  }

  @Test
  void programsAreToldWhatHasBecomeOfATrainJob() {
    cluster.trainJob("iris", "");

    assertThat(waymark.run("suspend", "iris", "-o", "yaml").out()).contains("  suspend: true\n");
    assertThat(waymark.run("resume", "iris", "-o", "json").out())
        .contains("\"suspend\" : false", "\"name\" : \"iris\"");
    assertThat(waymark.run("wait", "iris", "--for=created", "-o", "name").out())
        .isEqualTo("trainjob.trainer.kubeflow.org/iris\n");
    assertThat(waymark.run("version", "-o", "json").out())
        .contains("\"command\" : \"waymark test\"", "\"kubernetes\" : \"v1.34.1\"");
    assertThat(waymark.run("version", "-o", "name").exitCode()).isEqualTo(2);
    assertThat(waymark.run("doctor", "-o", "yaml").out())
        .contains("  - part: JobSet\n    verdict: failure\n    message: ");
    assertThat(waymark.run("doctor", "-o", "name").out()).startsWith("Trainer API\nJobSet\n");
  }

  private boolean suspended() {
    return cluster.api().get(TRAIN_JOBS + "/iris").orElseThrow().at("/spec/suspend").asBoolean();
  }

  @Test
  void printsLogs() {
    cluster.trainJob("iris", "");
    cluster.pod("iris", 0, "{phase: Succeeded}");
    cluster.pod("iris", 1, "{phase: Succeeded}");
    cluster.api().serve(log("iris", 0), "2026-11-30T10:00:00Z one\n");
    cluster.api().serve(log("iris", 1), "2026-11-30T10:00:00Z two\n");

    assertThat(waymark.run("logs", "iris").out()).isEqualTo("one\n");
    assertThat(waymark.run("logs", "iris", "--step=node-1", "-f").out()).isEqualTo("two\n");
    assertThat(waymark.run("logs", "iris", "--all-nodes").out().lines())
        .containsExactlyInAnyOrder("[node-0] one", "[node-1] two");
    assertThat(waymark.run("logs", "iris", "--tail=-1").exitCode()).isEqualTo(2);
    cluster.trainJob("empty", "");
    Outcome early = waymark.run("logs", "empty", "--wait=0");
    assertThat(early.err()).contains("TrainJob empty is Created and step node-0 doesn't run yet");
    assertThat(early.exitCode()).isEqualTo(4);
  }

  @Test
  void listsEventsAndRuntimes() {
    cluster.trainJob("iris", "");
    cluster.put(
        "/api/v1/namespaces/team-a/events/e",
        "{apiVersion: v1, kind: Event, metadata: {name: e, namespace: team-a}, type: Warning,"
            + " reason: Odd, message: \"look\\u001b[31m here\", lastTimestamp:"
            + " '2026-11-30T09:00:00Z', involvedObject: {kind: TrainJob, name: iris, uid:"
            + " uid-of-iris}}");

    assertThat(waymark.run("events", "iris").out())
        .contains("Warning   Odd      TrainJob/iris   1       look[31m here\n");
    assertThat(waymark.run("events", "iris", "-o", "json").out()).contains("\"reason\" : \"Odd\"");
    assertThat(waymark.run("runtimes").out())
        .contains("rt     ClusterTrainingRuntime   djl         2       gpu x 2   img\n");
    assertThat(waymark.run("runtimes", "-o", "name").out())
        .isEqualTo("clustertrainingruntime.trainer.kubeflow.org/rt\n");
  }

  /** kubeflow/sdk#580, by Ctrl-C. */
  @Test
  void lookingIntoARuntimeThatIsEndedLeavesNothingBehind() throws Exception {
    Process looking =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "runtimes",
                "--describe=rt",
                "--kubeconfig=" + cluster.kubeconfig())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("looking").toFile())
            .start();
    try {
      await().atMost(Duration.ofMinutes(1)).until(() -> !cluster.api().writes().isEmpty());
      String probe = cluster.api().writes().get(0).body().at("/metadata/name").asText();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> cluster.api().reads(TRAIN_JOBS + "/" + probe) > 0);
      looking.destroy();

      assertThat(looking.waitFor()).isEqualTo(128 + 15);
      assertThat(cluster.api().get(TRAIN_JOBS + "/" + probe)).isEmpty();
    } finally {
      looking.destroyForcibly();
    }
  }

  @Test
  void tellsVersionsAndWhatTheClusterLacks() {
    assertThat(waymark.run("version").out())
        .startsWith("waymark test\nKubernetes v1.34.1\n")
        .contains("Progress reports unknown: no TrainJob of namespace team-a has pods\n");

    Outcome doctor = waymark.run("doctor");
    assertThat(doctor.out())
        .contains("Trainer API        ok        trainer.kubeflow.org/v1alpha1 is served\n")
        .contains("JobSet             FAILURE   jobset.x-k8s.io/v1alpha2 is missing")
        .contains("runtimes           ok        1 to choose from\n");
    assertThat(doctor.exitCode()).isEqualTo(1);
  }

  @Test
  void anUnreachableClusterIsToldInALine() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    String server = "http://127.0.0.1:" + port;
    Outcome outcome = new Waymark(TrainJobsOnFakeApiServer.kubeconfig(folder, server)).run("list");

    assertThat(outcome.err())
        .isEqualTo("waymark: No answer from " + server + ": nobody listens there\n");
    assertThat(outcome.exitCode()).isEqualTo(5);
  }

  /**
   * As a tunnel does with nothing behind it. What is silent before TLS would be tried four times.
   */
  @Test
  void aServerThatTakesConnectionsAndSaysNothingIsToldAfterTenSeconds() throws Exception {
    long start = System.nanoTime();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
      for (String scheme : List.of("http", "https")) {
        Path kubeconfig =
            TrainJobsOnFakeApiServer.kubeconfig(
                folder, scheme + "://127.0.0.1:" + silent.getLocalPort());
        for (List<String> command :
            List.of(List.of("list"), List.of("wait", "iris"), List.of("watch", "a", "b"))) {
          waiting.add(
              CompletableFuture.supplyAsync(
                  () -> new Waymark(kubeconfig).run(command.toArray(String[]::new)),
                  task -> new Thread(task).start()));
        }
      }
      for (CompletableFuture<Outcome> command : waiting) {
        assertThat(command.join().err())
            .matches(
                "waymark: No answer from https?://127.0.0.1:[0-9]+: nothing came in time; .*\n");
        assertThat(command.join().exitCode()).isEqualTo(5);
      }
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(35));
  }

  @Test
  void expiredCredentialsAndMissingRightsAreTold() throws Exception {
    HttpServer refusing = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    refusing.createContext(
        "/",
        exchange -> {
          byte[] body =
              "{\"kind\":\"Status\",\"code\":401,\"message\":\"Unauthorized\"}"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(401, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    refusing.start();
    try {
      String server = "http://127.0.0.1:" + refusing.getAddress().getPort();
      Outcome outcome =
          new Waymark(TrainJobsOnFakeApiServer.kubeconfig(folder, server)).run("list");
      assertThat(outcome.err())
          .isEqualTo(
              "waymark: The cluster at "
                  + server
                  + " doesn't take these credentials: they are wrong or have expired. Log in"
                  + " again\n");
      assertThat(outcome.exitCode()).isEqualTo(5);
    } finally {
      refusing.stop(0);
    }

    cluster.api().deny(TRAIN_JOBS);
    Outcome denied = waymark.run("list");
    assertThat(denied.err()).startsWith("waymark: No right to list the TrainJobs of namespace");
    assertThat(denied.exitCode()).isEqualTo(5);
  }

  @Test
  void missingTypesAndContextsAreTold() {
    cluster.api().lack(TRAIN_JOBS);
    Outcome missing = waymark.run("list");
    assertThat(missing.err()).contains("install Kubeflow Trainer or Waymark's controller in it");
    assertThat(missing.exitCode()).isEqualTo(5);

    Outcome context = waymark.run("list", "--context=other");
    assertThat(context.err())
        .isEqualTo("waymark: Cluster: context: there is no other; there is [x]\n");
    assertThat(context.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "submit",
        "list",
        "get",
        "watch",
        "logs",
        "events",
        "wait",
        "suspend",
        "resume",
        "delete",
        "runtimes",
        "doctor",
        "dashboard",
        "version",
        "completion"
      })
  void everyCommandHasAHelpWithAnExample(String command) {
    Outcome help = Waymark.execute(command, "--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out())
        .startsWith("Usage: waymark " + command)
        .contains("Example:")
        .contains("waymark " + command);
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "waymark su, 1, submit suspend",
    "waymark list -o x, 3, ''",
    "waymark list -o t, 3, table",
    "waymark list -o j, 3, json"
  })
  void completesItsWordsInBash(String words, int position, String completions) throws Exception {
    Path script = folder.resolve("completion");
    Files.writeString(script, Waymark.execute("completion").out());
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source '%s'; compopt() { :; }; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_waymark;"
                        .formatted(script, words, position)
                    + " echo ${COMPREPLY[@]}")
            .redirectErrorStream(true)
            .start();

    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
        .isEqualTo(completions);
  }
}
