package dev.waymark.cli.cluster.dashboard;

import static dev.waymark.cli.cluster.dashboard.Trainings.CREATED;
import static dev.waymark.cli.cluster.dashboard.Trainings.reporting;
import static dev.waymark.cli.cluster.dashboard.Trainings.training;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.client.Training;
import dev.waymark.client.TrainingState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportHistoryTest {

  private final ReportHistory history = new ReportHistory();

  @Test
  void recordsWhatIsReportedWhileItWatches() {
    history.record(List.of(training("iris", TrainingState.PENDING)), CREATED);
    history.record(List.of(step("iris", TrainingState.RUNNING, 1)), CREATED.plusSeconds(1));
    history.record(List.of(step("iris", TrainingState.RUNNING, 2)), CREATED.plusSeconds(2));
    history.record(List.of(step("iris", TrainingState.COMPLETE, 3)), CREATED.plusSeconds(3));

    assertThat(points("iris")).isEqualTo(3);
  }

  @Test
  void whatHasEndedBeforeIsNotRecorded() {
    history.record(List.of(step("iris", TrainingState.COMPLETE, 3)), CREATED);

    assertThat(points("iris")).isZero();
  }

  @Test
  void whatIsDeletedIsForgotten() {
    history.record(List.of(step("iris", TrainingState.RUNNING, 1)), CREATED);
    history.record(List.of(), CREATED.plusSeconds(1));

    assertThat(points("iris")).isZero();
  }

  @Test
  void whatHasEndedMakesRoomAndWhatGoesOnStays() {
    List<Training> all = new ArrayList<>();
    for (int i = 0; i < ReportHistory.MAX_JOBS; i++) {
      all.add(step("job-" + i, TrainingState.RUNNING, 1));
    }
    history.record(all, CREATED);
    all.add(step("late", TrainingState.RUNNING, 1));
    history.record(all, CREATED.plusSeconds(1));
    assertThat(points("late")).as("no room").isZero();

    all.set(5, step("job-5", TrainingState.COMPLETE, 2));
    history.record(all, CREATED.plusSeconds(2));
    assertThat(points("late")).isEqualTo(1);
    assertThat(points("job-5")).isZero();
    assertThat(points("job-4")).isEqualTo(1);
  }

  @Test
  void aLongOneIsThinned() {
    for (int i = 0; i < 5_000; i++) {
      history.record(List.of(step("iris", TrainingState.RUNNING, i)), CREATED.plusSeconds(i));
    }

    assertThat(points("iris")).isBetween(60, ReportHistory.MAX_POINTS);
  }

  private int points(String name) {
    return history.curves(training(name, TrainingState.RUNNING)).x().size();
  }

  private static Training step(String name, TrainingState state, int step) {
    return reporting(name, state, 1, "current_step", "" + step, "loss", "0.5");
  }
}
