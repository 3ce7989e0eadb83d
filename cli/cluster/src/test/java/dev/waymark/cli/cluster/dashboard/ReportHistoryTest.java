package dev.waymark.cli.cluster.dashboard;

import static dev.waymark.cli.cluster.dashboard.Trainings.CREATED;
import static dev.waymark.cli.cluster.dashboard.Trainings.job;
import static dev.waymark.cli.cluster.dashboard.Trainings.reporting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.client.TrainingState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportHistoryTest {

  private final ReportHistory history = new ReportHistory();

  @Test
  void recordsWhatIsReportedWhileItWatches() {
    history.record(List.of(job("iris", TrainingState.PENDING)), CREATED);
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
    List<BoardJob> all = full();
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
  void whatSomebodyLooksAtIsRecordedInPlaceOfWhatNobodyLooksAt() {
    List<BoardJob> all = full();
    assertThat(points("job-0")).as("looked at").isEqualTo(1);
    BoardJob late = step("late", TrainingState.RUNNING, 1);
    assertThat(history.curves(late, CREATED.plusSeconds(1)).x()).hasSize(1);
    assertThat(points("job-0")).isEqualTo(1);
    assertThat(points("job-1")).as("it has made room").isZero();

    all.add(step("late", TrainingState.RUNNING, 2));
    history.record(all, CREATED.plusSeconds(2));
    assertThat(points("late")).isEqualTo(2);
  }

  @Test
  void aLongOneIsThinned() {
    for (int i = 0; i < 5_000; i++) {
      history.record(List.of(step("iris", TrainingState.RUNNING, i)), CREATED.plusSeconds(i));
    }

    assertThat(points("iris")).isBetween(60, ReportHistory.MAX_POINTS);
  }

  /** As many as there is room for, each with one report. */
  private List<BoardJob> full() {
    List<BoardJob> all = new ArrayList<>();
    for (int i = 0; i < ReportHistory.MAX_JOBS; i++) {
      all.add(step("job-" + i, TrainingState.RUNNING, 1));
    }
    history.record(all, CREATED);
    return all;
  }

  private int points(String name) {
    return history.curves(job(name, TrainingState.RUNNING), CREATED).x().size();
  }

  private static BoardJob step(String name, TrainingState state, int step) {
    return BoardJob.of(reporting(name, state, 1, "current_step", "" + step, "loss", "0.5"));
  }
}
