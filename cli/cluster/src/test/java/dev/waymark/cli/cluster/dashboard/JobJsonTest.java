package dev.waymark.cli.cluster.dashboard;

import static dev.waymark.cli.cluster.dashboard.Trainings.CREATED;
import static dev.waymark.cli.cluster.dashboard.Trainings.reporting;
import static dev.waymark.cli.cluster.dashboard.Trainings.training;
import static dev.waymark.cli.cluster.dashboard.Trainings.withSteps;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.cli.history.RunCurves;
import dev.waymark.client.Device;
import dev.waymark.client.Step;
import dev.waymark.client.TrainingEvent;
import dev.waymark.client.TrainingState;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobJsonTest {

  private static final RunCurves NO_CURVES =
      new RunCurves(RunCurves.Axis.STEP, List.of(), List.of());

  private final Instant now = CREATED.plusSeconds(300);

  @ParameterizedTest
  @CsvSource({
    "CREATED, , created",
    "CREATED, running, created",
    "SUSPENDED, running, suspended",
    "PENDING, , pending",
    "RUNNING, , running",
    "RUNNING, running, running",
    "RUNNING, evaluating, evaluating",
    "RUNNING, completed, running",
    "RUNNING, <b>, running",
    "COMPLETE, , completed",
    "COMPLETE, completed, completed",
    "COMPLETE, stopped_early, stopped_early",
    "COMPLETE, running, completed",
    "FAILED, , failed",
    "FAILED, diverged, diverged",
    "FAILED, completed, failed",
  })
  void theClustersStateCountsAndTheProgramsMakesItFiner(
      TrainingState state, String said, String shown) {
    assertThat(JobJson.state(state, said)).isEqualTo(shown);
  }

  @Test
  void aRowSaysWhereOneStands() {
    JsonNode row =
        JobJson.row(
            reporting(
                "iris",
                TrainingState.RUNNING,
                42,
                "current_step",
                "420",
                "total_steps",
                "1000",
                "current_epoch",
                "3.5",
                "loss",
                "0.25"));

    assertThat(row.path("id").asText()).isEqualTo("team-a/iris");
    assertThat(row.path("phase").asText()).isEqualTo("Running");
    assertThat(row.path("active").asBoolean()).isTrue();
    assertThat(row.path("final").asBoolean()).isFalse();
    assertThat(row.path("device").asText()).isEqualTo("gpu x 4");
    assertThat(row.path("nodes").asInt()).isEqualTo(2);
    assertThat(row.path("startedAt").asLong()).isEqualTo(CREATED.toEpochMilli());
    assertThat(row.path("updatedAt").asLong()).isEqualTo(CREATED.plusSeconds(60).toEpochMilli());
    assertThat(row.path("endedAt").isNull()).isTrue();
    assertThat(row.path("percent").asInt()).isEqualTo(42);
    assertThat(row.path("remainingSeconds").asInt()).isEqualTo(90);
    assertThat(row.path("step").asLong()).isEqualTo(420);
    assertThat(row.path("epoch").asLong()).isEqualTo(3);
    assertThat(row.path("totalEpochs").isNull()).isTrue();
    assertThat(row.path("loss").asDouble()).isEqualTo(0.25);
  }

  @Test
  void oneThatHasEndedSaysWhenAndHasNoTimeLeft() {
    JsonNode row = JobJson.row(reporting("iris", TrainingState.COMPLETE, 100));

    assertThat(row.path("endedAt").asLong()).isEqualTo(CREATED.plusSeconds(120).toEpochMilli());
    assertThat(row.path("remainingSeconds").isNull()).isTrue();
    assertThat(row.path("final").asBoolean()).isTrue();
  }

  @Test
  void oneThatHasSaidNothingHasNothingInItsPlace() {
    JsonNode row = JobJson.row(training("iris", TrainingState.PENDING));

    for (String field : List.of("percent", "remainingSeconds", "step", "loss", "updatedAt")) {
      assertThat(row.path(field).isNull()).as(field).isTrue();
    }
  }

  /** Else a page would be told of a change where there is none. */
  @Test
  void theSameTrainJobGivesTheSameRow() {
    assertThat(JobJson.row(reporting("iris", TrainingState.RUNNING, 1, "loss", "0.5")))
        .isEqualTo(JobJson.row(reporting("iris", TrainingState.RUNNING, 1, "loss", "0.5")));
  }

  @Test
  void theDetailHasFiguresAndSteps() throws Exception {
    Device none = new Device(Device.UNKNOWN, Device.UNKNOWN);
    JsonNode detail =
        json(
            JobJson.detail(
                BoardJob.of(
                    withSteps(
                        "iris",
                        TrainingState.PENDING,
                        new Step("node-0", "iris-node-0-0-abcde", "", none, ""),
                        new Step("node-1", "b", "Pending", none, "Unschedulable: \u001bno room"))),
                NO_CURVES,
                now));

    assertThat(detail.path("now").asLong()).isEqualTo(now.toEpochMilli());
    assertThat(detail.at("/job/name").asText()).isEqualTo("iris");
    assertThat(detail.at("/steps/0/phase").asText()).isEqualTo("Pending");
    assertThat(detail.at("/steps/0/device").asText()).isEmpty();
    assertThat(detail.at("/steps/1/trouble").asText()).isEqualTo("Unschedulable: no room");
    assertThat(detail.path("metrics")).isEmpty();
    assertThat(detail.path("series")).isEmpty();
  }

  @Test
  void ofManyEventsTheNewestAreShownFirst() throws Exception {
    List<TrainingEvent> events =
        IntStream.range(0, 300)
            .mapToObj(
                i -> new TrainingEvent(CREATED.plusSeconds(i), i == 7, "Pod", "p", "R" + i, "m", 1))
            .toList();
    JsonNode shown = json(JobJson.events(events, now)).path("events");

    assertThat(shown).hasSize(200);
    assertThat(shown.at("/0/reason").asText()).isEqualTo("R299");
    assertThat(shown.at("/199/reason").asText()).isEqualTo("R100");
    assertThat(shown.at("/0/about").asText()).isEqualTo("Pod/p");
  }

  private static JsonNode json(String document) throws Exception {
    return new ObjectMapper().readTree(document);
  }
}
