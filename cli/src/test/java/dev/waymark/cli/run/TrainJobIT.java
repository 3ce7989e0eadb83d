package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.cli.run.TrainJobText.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs TrainJobs with the packaged {@code waymark} command. */
class TrainJobIT {

  private final TrainJobText text =
      new TrainJobText()
          .with(Place.RUNTIME, "mlPolicy: {numNodes: 1, torch: {}}")
          .with(
              Place.CONTAINER,
              """
              workingDir: /app
              env:
                - name: RUNTIME
                  value: the runtime
                - name: GREETING
                  value: hello from $(RUNTIME)
              """);

  @TempDir Path folder;

  @BeforeEach
  void makeAnImage() throws IOException {
    Files.createDirectories(folder.resolve("image/app"));
  }

  @Test
  void runsOneProcessANodeWithItsRank() throws Exception {
    program(
        3,
        "env",
        "JOB_COMPLETION_INDEX",
        "env",
        "PET_NODE_RANK",
        "env",
        "PET_NNODES",
        "env",
        "PET_MASTER_ADDR",
        "env",
        "PET_MASTER_PORT",
        "out",
        "$(GREETING)",
        "agent",
        "directory");
    Waymark.Ended ended = run(write("job.yaml", text.job()), write("runtime.yaml", text.runtime()));

    assertThat(ended.exitCode()).as(ended.err()).isZero();
    for (int rank = 0; rank < 3; rank++) {
      String prefix = "[node-0-" + rank + "] ";
      assertThat(ended.out().lines().filter(line -> line.startsWith(prefix)))
          .containsExactly(
              prefix + "JOB_COMPLETION_INDEX=" + rank,
              prefix + "PET_NODE_RANK=" + rank,
              prefix + "PET_NNODES=3",
              prefix + "PET_MASTER_ADDR=127.0.0.1",
              prefix + "PET_MASTER_PORT=29500",
              prefix + "hello from the runtime",
              prefix + "agent is here",
              prefix + "directory " + folder.resolve("image/app"));
    }
  }

  @Test
  void readsAllFromOneFileAndReportsUnderTheTrainJobsName() throws Exception {
    program(1, "report", "30", "env", "KUBEFLOW_TRAINER_SERVER_URL", "in");
    Waymark.Ended ended = run(write("job.yaml", text.both()));

    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out())
        .contains("reported 30: 200", "/namespaces/default/trainjobs/demo/status");
    assertThat(ended.out()).as("a pod has no input").contains("in \n");
  }

  @Test
  void endsTheOthersWhenANodeFails() throws Exception {
    program(3, "exit-if-rank", "1", "9", "wait");
    Waymark.Ended ended = run(write("job.yaml", text.both()));

    assertThat(ended.exitCode()).isEqualTo(9);
    assertThat(ended.err()).contains("[waymark] node-0-1 exited with 9: ending the other nodes");
  }

  @Test
  void refusesWhatCannotBeHonouredAndSaysAllOfIt() throws Exception {
    program(1, "out", "never");
    text.with(Place.ANNOTATION, "other: image")
        .with(Place.JOB, "suspend: true\ntrainr: {numNodes: 2}");
    Waymark.Ended ended = run(write("job.yaml", text.both()));

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err().lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("waymark: "))
        .anyMatch(line -> line.contains("waymark.dev/local-root: DIR"))
        .anyMatch(line -> line.contains("spec.suspend"))
        .anyMatch(line -> line.matches("waymark: Note: .*job.yaml:\\d+: .*trainr.*"));
  }

  @Test
  void saysWhereAFileIsWrong() throws Exception {
    Path job = folder.resolve("job.yaml");
    Files.writeString(job, "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nspec: 3\n");
    Waymark.Ended ended = run(job, folder.resolve("missing.yaml"));

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err())
        .contains("job.yaml:3: ")
        .contains("There is no file " + folder.resolve("missing.yaml"))
        .doesNotContain("Exception");
  }

  /** Makes a scripted program the TrainJob's command. */
  private void program(int nodes, String... script) {
    String words =
        Waymark.program(script).stream()
            .map(word -> "'" + word.replace("'", "''") + "'")
            .collect(Collectors.joining(", "));
    text.with(Place.TRAINER, "numNodes: " + nodes).with(Place.COMMAND, "command: [" + words + "]");
  }

  private Path write(String file, String yaml) throws IOException {
    return Files.writeString(folder.resolve(file), yaml);
  }

  private Waymark.Ended run(Path... files) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("run", "--no-page"));
    for (Path file : files) {
      arguments.add(file.toString());
    }
    return Waymark.start(folder, arguments).awaitEnd();
  }
}
