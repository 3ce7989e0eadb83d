package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.Turn.Hold;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnTest {
  /** Stands in for the reporter, which reports one run at a time. */
  private LiveRun reported;

  @AfterEach
  void nothingIsReportedAnyMore() {
    if (reported != null) {
      reported.end(RunState.INTERRUPTED);
    }
  }

  @ParameterizedTest(name = "{0}, last step at {1}, the next one constructed at {2}: over {3}")
  @CsvSource({
    "FIRM, 5, 7, false", // within fit
    "FIRM, 5, 3, false",
    "UNTIL_YOUNGER, 5, 7, true", // k-fold
    "UNTIL_YOUNGER, 5, 3, false", // a GAN
    "UNTIL_YOUNGER, 5, 5, false",
    "LOOSE, 5, 7, true",
    "LOOSE, 5, 3, true", // fit has done all that was planned, or the trainer is closed
  })
  void whenItIsOver(Hold hold, long lastStepAt, long nextConstructedAt, boolean over) {
    assertThat(Turn.yields(hold, lastStepAt, nextConstructedAt)).isEqualTo(over);
  }

  @ParameterizedTest(name = "{0}, midway {1}, {2} epochs of the other alone: over {3}")
  @CsvSource({
    "FIRM, false, 9, false", // within fit
    "UNTIL_YOUNGER, true, 9, false", // within an epoch that a listener hears of
    "UNTIL_YOUNGER, false, 1, false", // a GAN that takes turns by epochs
    "UNTIL_YOUNGER, false, 2, true",
    "LOOSE, false, 2, true",
  })
  void whenItIsOverAsTheOtherTrainsAlone(Hold hold, boolean midway, int epochs, boolean over) {
    assertThat(Turn.isOver(hold, midway, epochs)).isEqualTo(over);
  }

  @Test
  void whoTakesItHoldsItFirmly() {
    Turn first = new Turn();
    TrainingRun reportedRun = first.take(this::start);
    Turn second = new Turn();

    assertThat(reportedRun.isReported()).isTrue();
    assertThat(second.take(this::start).isReported()).isFalse();
    assertThat(reportedRun.hasEnded()).isFalse();
  }

  @Test
  void soDoesWhoIsWithinACallThatTellsItsEnd() {
    Turn first = new Turn();
    Turn second = new Turn();
    TrainingRun firstRun = first.take(this::start);
    first.hold(Hold.UNTIL_YOUNGER);
    first.stepped();
    firstRun.busy(true);
    Turn younger = new Turn();
    assertThat(younger.take(this::start).isReported()).isFalse();
    second.take(this::start);
    for (int epoch = 0; epoch < 3; epoch++) {
      second.stepped();
      second.epochTrained();
    }
    assertThat(firstRun.hasEnded()).isFalse();

    firstRun.busy(false);
    assertThat(younger.take(this::start).isReported()).isTrue();
    assertThat(firstRun.hasEnded()).isTrue();
  }

  @Test
  void ofLoopsInTurnEachIsReported() {
    Turn first = new Turn();
    TrainingRun firstRun = first.take(this::start);
    first.hold(Hold.UNTIL_YOUNGER);
    first.stepped();
    LiveRun firstLive = reported;
    Turn second = new Turn();

    assertThat(second.take(this::start).isReported()).isTrue();
    assertThat(firstRun.hasEnded()).isTrue();
    assertThat(firstLive.snapshot().state()).isEqualTo(RunState.COMPLETED);
  }

  @Test
  void ofLoopsAtOnceTheFirstIsReported() {
    Turn first = new Turn();
    Turn second = new Turn();
    TrainingRun firstRun = first.take(this::start);
    first.hold(Hold.UNTIL_YOUNGER);
    first.stepped();

    assertThat(second.take(this::start).isReported()).isFalse();
    assertThat(second.isFreeAgain()).isFalse();
    assertThat(first.isFreeAgain()).as("nothing has kept it").isFalse();

    firstRun.complete();
    assertThat(second.isFreeAgain()).isTrue();
    assertThat(second.take(this::start).isReported()).isTrue();
    assertThat(second.isFreeAgain()).isFalse();
  }

  @Test
  void ofLoopsInTurnThatWereConstructedFirstTheSecondIsReportedOnceItHasTrainedAlone() {
    Turn first = new Turn();
    Turn second = new Turn();
    TrainingRun firstRun = first.take(this::start);
    first.hold(Hold.UNTIL_YOUNGER);
    first.stepped();
    second.take(this::start);
    second.stepped();
    second.epochTrained();
    assertThat(firstRun.hasEnded()).isFalse();
    second.take(this::start); // for a second fit
    second.epochTrained();

    assertThat(firstRun.hasEnded()).isTrue();
    assertThat(reported.snapshot().state()).isEqualTo(RunState.COMPLETED);
    assertThat(second.isFreeAgain()).isTrue();
    assertThat(second.take(this::start).isReported()).isTrue();
  }

  @Test
  void ofTwoAtOnceTheSecondIsReportedOnceTheFirstHasDoneAll() {
    Turn first = new Turn();
    Turn second = new Turn();
    TrainingRun firstRun = first.take(this::start);
    second.take(this::start);
    second.stepped();
    assertThat(firstRun.hasEnded()).isFalse();
    first.hold(Hold.LOOSE);
    second.stepped();

    assertThat(firstRun.hasEnded()).isTrue();
    assertThat(second.take(this::start).isReported()).isTrue();
  }

  @Test
  void oneThatIsAsOldAsAnotherIsNoneThatComesAfterIt() {
    Turn first = new Turn();
    first.take(this::start);
    first.hold(Hold.UNTIL_YOUNGER);
    first.stepped();

    assertThat(first.anotherAsOld().take(this::start).isReported()).isFalse();
  }

  @Test
  void ofTwoThatTakeTurnsByEpochsTheFirstStaysReported() {
    Turn first = new Turn();
    Turn second = new Turn();
    TrainingRun firstRun = first.take(this::start);
    for (int epoch = 0; epoch < 9; epoch++) {
      first.hold(Hold.FIRM);
      first.stepped();
      first.epochTrained();
      first.hold(Hold.UNTIL_YOUNGER);
      second.take(this::start);
      second.stepped();
      second.epochTrained();
    }

    assertThat(firstRun.hasEnded()).isFalse();
  }

  @Test
  void itsOwnRunIsNotEndedByTakingTheNextOne() {
    Turn turn = new Turn();
    TrainingRun first = turn.take(this::start);
    turn.hold(Hold.LOOSE);

    assertThat(turn.take(this::start).isReported()).isFalse();
    assertThat(first.hasEnded()).isFalse();
    assertThat(turn.isFreeAgain()).isFalse();
  }

  @Test
  void whereAnotherRunIsReportedThatHasNoTurnNobodyIsWaitedFor() {
    start(); // by hand
    Turn turn = new Turn();
    turn.take(this::start);
    reported.end(RunState.COMPLETED);

    assertThat(turn.isFreeAgain()).isFalse();
  }

  @ParameterizedTest(name = "{0} of 4 steps, midway {1}: {2}")
  @CsvSource({
    "4, false, COMPLETED",
    "3, false, STOPPED_EARLY",
    "4, true, STOPPED_EARLY",
    "3, true, STOPPED_EARLY"
  })
  void endsTheRunAsItStands(int steps, boolean midway, RunState state) {
    Turn turn = new Turn();
    TrainingRun run = turn.take(this::start);
    run.planSteps(4);
    for (int step = 0; step < steps; step++) {
      run.step();
    }
    turn.midway(midway);
    turn.over();

    assertThat(reported.snapshot().state()).isEqualTo(state);
  }

  @Test
  void theNextRunIsNotMidwayBecauseTheOneBeforeWas() {
    Turn turn = new Turn();
    turn.take(this::start);
    turn.midway(true);
    turn.over();
    turn.take(this::start);
    turn.over();

    assertThat(reported.snapshot().state()).isEqualTo(RunState.COMPLETED);
  }

  @Test
  void isOverWithoutARun() {
    Turn turn = new Turn();
    turn.over();

    assertThat(turn.isFreeAgain()).isFalse();
  }

  private TrainingRun start() {
    if (reported != null && reported.isLive()) {
      return TrainingRun.inert();
    }
    Settings settings = Settings.read(Map.<String, String>of()::get);
    reported = new LiveRun(1, "a trainer", settings, new ManualClock());
    return TrainingRun.of(reported, null, new Log(Log.Level.OFF), () -> {});
  }
}
