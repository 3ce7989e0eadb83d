package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.cli.run.TrainJobText.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainJobPlanTest {

  private static final Machine MACHINE = new Machine(8, 32L << 30, 4, 0);

  private static final TrainJobText TEXT =
      new TrainJobText()
          .inNamespace("team")
          .with(
              Place.COMMAND,
              "command: [/app/run.sh, --host=$(PET_MASTER_ADDR), --data, /data/iris.csv]")
          .with(
              Place.TRAINER,
              """
              numNodes: 2
              args: [demo-node-0-1.demo.team.svc.cluster.local, other-node-0-0.demo, $$(PLAIN)]
              env:
                - {name: DATA, value: /app}
                - {name: CORES, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
                - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
              """)
          .with(Place.RUNTIME, "mlPolicy: {torch: {}}")
          .with(Place.CONTAINER, "resources: {limits: {nvidia.com/gpu: 2}}");

  @TempDir Path folder;

  @BeforeEach
  void makeAnImage() throws IOException {
    Files.createDirectories(folder.resolve("image/app"));
    Files.createFile(folder.resolve("image/app/run.sh"));
    Files.writeString(folder.resolve("job.yaml"), TEXT.both());
  }

  @Test
  void makesAProcessOfEachPod() throws Exception {
    RunPlan plan =
        TrainJobPlan.of(
            List.of(folder.resolve("job.yaml")), Map.of("PATH", "/bin", "DATA", "mine"), MACHINE);

    Path root = folder.resolve("image");
    assertThat(plan.trainJob()).hasToString("team/demo");
    assertThat(plan.readsInput()).isFalse();
    assertThat(plan.grace()).isEqualTo(Duration.ofSeconds(30));
    assertThat(plan.nodes()).extracting(Node::name).containsExactly("node-0-0", "node-0-1");

    Node second = plan.nodes().get(1);
    assertThat(second.directory()).isEqualTo(root);
    assertThat(second.command())
        .containsExactly(
            root.resolve("app/run.sh").toString(),
            "--host=127.0.0.1",
            "--data",
            "/data/iris.csv",
            "127.0.0.1",
            "other-node-0-0.demo",
            "$(PLAIN)");
    assertThat(second.environment())
        .containsEntry("PATH", "/bin")
        .containsEntry("DATA", root.resolve("app").toString())
        .containsEntry("CORES", "8")
        .containsEntry("POD", "demo-node-0-1")
        .containsEntry("JOB_COMPLETION_INDEX", "1")
        .containsEntry("PET_NODE_RANK", "1")
        .containsEntry("PET_NNODES", "2")
        .containsEntry("PET_MASTER_ADDR", "127.0.0.1")
        .containsEntry("CUDA_VISIBLE_DEVICES", "2,3");
  }

  @Test
  void sharesOutTheDevicesThatTheShellMayUse() throws Exception {
    Map<String, String> shell = Map.of("CUDA_VISIBLE_DEVICES", "7,3, GPU-5a,1");
    RunPlan plan = TrainJobPlan.of(List.of(folder.resolve("job.yaml")), shell, MACHINE);

    assertThat(plan.nodes())
        .extracting(node -> node.environment().get("CUDA_VISIBLE_DEVICES"))
        .containsExactly("7,3", "GPU-5a,1");
  }

  @Test
  void refusesALocalRootThatIsNoPath() throws Exception {
    Path file = folder.resolve("odd.yaml");
    Files.writeString(file, TEXT.both().replace("local-root: image", "local-root: \"a\\0b\""));

    assertThatThrownBy(() -> TrainJobPlan.of(List.of(file), Map.of(), MACHINE))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused ->
                assertThat(refused.reasons())
                    .singleElement()
                    .asString()
                    .contains("waymark.dev/local-root must name a directory: Nul character"));
  }

  @ParameterizedTest
  @CsvSource({"'2,3', 2", "'2,3,4,-1,5', 3", "'', 0", "-1, 0"})
  void refusesToShareOutMoreDevicesThanTheShellMayUse(String visible, int count) {
    Map<String, String> shell = Map.of("CUDA_VISIBLE_DEVICES", visible);

    assertThatThrownBy(() -> TrainJobPlan.of(List.of(folder.resolve("job.yaml")), shell, MACHINE))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused ->
                assertThat(refused.reasons())
                    .containsExactly(
                        "Each of 2 nodes asks for 2 of nvidia.com/gpu;"
                            + " CUDA_VISIBLE_DEVICES of this shell names "
                            + count));
  }
}
