package dev.waymark.cli.cluster.tests;

import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.condition;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.log;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.cli.cluster.tests.Waymark.Outcome;
import dev.waymark.client.ClusterAccess;
import dev.waymark.client.TrainerClient;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs what stands in docs/USER-GUIDE.md: each command, and each piece of Java. */
class UserGuideTest {

  private static final Path GUIDE = Path.of("../../../docs/USER-GUIDE.md");

  private static final String IMPORTS =
      """
      import dev.waymark.client.*;
      import dev.waymark.trainer.api.*;
      import io.fabric8.kubernetes.api.model.PodSpecBuilder;
      import java.time.Duration;
      import java.util.List;
      import java.util.concurrent.Flow;
      """;

  @TempDir Path folder;

  private TrainJobsOnFakeApiServer cluster;

  @BeforeEach
  void prepare() throws IOException {
    cluster = new TrainJobsOnFakeApiServer(folder);
    cluster.runtime("djl-cuda");
    runtime("jvm-npu", "numNodes: 1", "");
    runtime("torch", "torch: {}", "");
    runtime("mpi", "mpi: {}", "");
    runtime(
        "fetching",
        "numNodes: 1",
        """
        - name: dataset-initializer
          template:
            metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}
            spec: {template: {spec: {containers: [{name: dataset-initializer, image: i, volumeMounts: [{name: initializer, mountPath: /workspace}]}]}}}
        """);
    Files.writeString(folder.resolve("Train.java"), "class Train {}");
    Files.writeString(folder.resolve("train.py"), "pass");
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @TestFactory
  Stream<DynamicTest> everyCommandDoesWhatItSays() throws IOException {
    List<String> commands =
        blocks("sh").stream().flatMap(String::lines).filter(it -> !it.isBlank()).toList();
    assertThat(commands).hasSizeGreaterThan(15);
    return commands.stream().map(it -> DynamicTest.dynamicTest(it, () -> run(it)));
  }

  @TestFactory
  Stream<DynamicTest> everyPieceOfJavaCompilesAndRuns() throws IOException {
    List<String> pieces = blocks("java");
    assertThat(pieces).hasSizeGreaterThan(4);
    return pieces.stream()
        .map(it -> DynamicTest.dynamicTest(it.lines().findFirst().orElse(""), () -> compile(it)));
  }

  private void run(String command) {
    trainings();
    String[] words = command.split(" ");
    assertThat(words[0]).isEqualTo("waymark");
    for (int i = 0; i < words.length; i++) {
      // In the guide they are in the reader's folder.
      if (words[i].equals("Train.java") || words[i].equals("train.py")) {
        words[i] = folder.resolve(words[i]).toString();
      }
    }
    List<String> arguments = new ArrayList<>(List.of(words).subList(1, words.length));
    if (arguments.get(0).equals("submit") && !arguments.contains("--dry-run")) {
      cluster.api().delete(TrainJobsOnFakeApiServer.TRAIN_JOBS + "/iris");
    }
    Outcome outcome = new Waymark(cluster.kubeconfig()).run(arguments.toArray(String[]::new));

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out() + outcome.err()).isNotEmpty();
  }

  private void compile(String piece) throws Exception {
    trainings();
    Path source =
        Files.writeString(
            folder.resolve("Piece.java"),
            IMPORTS
                + "public class Piece {\n"
                + "  public static void run(TrainerClient client) throws Exception {\n"
                + piece
                + "  }\n}\n");
    Path classes = Files.createDirectories(folder.resolve("classes"));
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                source.toString());
    assertThat(result).as(piece).isZero();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
        TrainerClient client =
            TrainerClient.connect(ClusterAccess.standard().withKubeconfig(cluster.kubeconfig()))) {
      loader.loadClass("Piece").getMethod("run", TrainerClient.class).invoke(null, client);
    }
  }

  /** What the reader has in his cluster at that place of the guide. */
  private void trainings() {
    String done =
        "status: {trainerStatus: {progressPercentage: 100, metrics: [{name: loss, value: '0.1'}]},"
            + " conditions: ["
            + condition("Complete", "done")
            + "]}";
    cluster.trainJob("iris", done);
    cluster.trainJob("mnist", "");
    cluster.pod("iris", 0, "{phase: Succeeded}");
    cluster.api().serve(log("iris", 0), "2026-11-30T10:00:00Z done\n");
  }

  private void runtime(String name, String policy, String jobs) {
    cluster.put(
        "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes/" + name,
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: ClusterTrainingRuntime
        metadata: {name: %s, labels: {trainer.kubeflow.org/framework: x}}
        spec:
          mlPolicy: {%s}
          template:
            spec:
              replicatedJobs:
                - name: node
                  template:
                    metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                    spec: {template: {spec: {containers: [{name: node, image: img}]}}}
        %s
        """
            .formatted(name, policy, jobs.indent(8)));
  }

  private static List<String> blocks(String language) throws IOException {
    Matcher blocks =
        Pattern.compile("```" + language + "\\R(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(GUIDE));
    return blocks.results().map(block -> block.group(1)).toList();
  }
}
