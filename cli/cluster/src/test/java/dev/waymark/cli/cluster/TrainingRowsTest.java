package dev.waymark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.client.Device;
import dev.waymark.client.Training;
import dev.waymark.client.TrainingState;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobSpec;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainerStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrainingRowsTest {

  private final StringWriter out = new StringWriter();

  @Test
  void aTerminalsRowsAreDrawnAgain() {
    TrainingRows rows =
        new TrainingRows.Drawn(new PrintWriter(out, true), () -> 60, StandardCharsets.UTF_8);
    rows.show(
        List.of(
            training("iris", TrainingState.RUNNING, 42, ""),
            training("mnist", TrainingState.PENDING, null, "node-0: ErrImagePull")));
    rows.show(List.of(training("iris", TrainingState.COMPLETE, 100, "")));

    assertThat(out.toString().split("\n"))
        .containsExactly(
            "\r\u001b[Jiris   [████████            ]  Running, 42%",
            ("mnist" + " ".repeat(26) + "Pending, node-0: ErrImagePull").substring(0, 59),
            "\u001b[2A\r\u001b[Jiris  [████████████████████]  Complete, 100%");
  }

  @Test
  void showsNoMoreThanFitAndThoseThatHaveEndedLast() {
    TrainingRows rows =
        new TrainingRows.Drawn(new PrintWriter(out, true), () -> 80, StandardCharsets.US_ASCII);
    List<TrainingRow> many =
        IntStream.range(0, 25)
            .mapToObj(
                i ->
                    training(
                        "job-" + i, i == 0 ? TrainingState.FAILED : TrainingState.RUNNING, 50, ""))
            .toList();
    rows.show(many);

    assertThat(out.toString().split("\n")).hasSize(21).endsWith("and 5 more");
    assertThat(out.toString())
        .contains("job-1   [##########          ]  Running, 50%\n")
        .doesNotContain("job-0 ");
  }

  @Test
  void whereThereIsNoRoomForABarTheStateIsShown() {
    TrainingRows rows =
        new TrainingRows.Drawn(new PrintWriter(out, true), () -> 30, StandardCharsets.UTF_8);
    rows.show(List.of(training("iris", TrainingState.PENDING, 42, "node-0: 映像がありません, 映像")));

    assertThat(out).hasToString("\r\u001b[Jiris  Pending, 42%, node-0: \n");
  }

  /** A Chinese character takes two columns: a row that is too wide would take two rows. */
  @Test
  void rowsAreCutToTheColumnsThatTheyTake() {
    TrainingRows rows =
        new TrainingRows.Drawn(new PrintWriter(out, true), () -> 32, StandardCharsets.UTF_8);
    rows.show(List.of(training("iris", TrainingState.PENDING, null, "損失損失損失損失損失損失")));

    assertThat(out).hasToString("\r\u001b[Jiris  Pending, 損失損失損失損失\n");
  }

  @Test
  void elsewhereThereIsALineForEachChange() {
    TrainingRows rows = new TrainingRows.Plain(new PrintWriter(out, true));
    rows.show(List.of(training("iris", TrainingState.RUNNING, 42, "")));
    rows.show(List.of(training("iris", TrainingState.RUNNING, 42, "")));
    rows.show(List.of(training("iris", TrainingState.FAILED, 42, "R: no disk")));

    assertThat(out).hasToString("iris: Running, 42%\niris: Failed, 42%, R: no disk\n");
  }

  @Test
  void ofAllNamespacesEachIsToldWithItsOwn() {
    TrainingRows rows = new TrainingRows.Plain(new PrintWriter(out, true));
    rows.show(List.of(training("iris", TrainingState.RUNNING, 42, "").amongNamespaces()));

    assertThat(out).hasToString("team-a/iris: Running, 42%\n");
  }

  private static TrainingRow training(
      String name, TrainingState state, Integer percent, String reason) {
    TrainJob job = new TrainJob();
    job.getMetadata().setName(name);
    job.getMetadata().setNamespace("team-a");
    job.setSpec(
        new TrainJobSpec(
            new RuntimeRef("rt", null, null, null), null, null, null, null, null, null, null));
    if (percent != null) {
      job.setStatus(
          new TrainJobStatus(null, null, new TrainerStatus(percent, null, null, null), null));
    }
    return TrainingRow.of(
        new Training(
            state, reason, 1, new Device(Device.UNKNOWN, Device.UNKNOWN), null, List.of(), job));
  }
}
