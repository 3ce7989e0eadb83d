package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.RunOnAClock;
import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the runs of models begin, go on and end. */
class FittedRunTest {
  private static final int BATCHES = 3;
  private static final Duration LONG = Duration.ofHours(1);

  private static ReceivedReports reports;

  private final FittedRun run = new FittedRun("a model", LONG);

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @Test
  void aFitOfEpochsIsCompletedWhenAnotherModelStarts() {
    fit(run, 4);
    AnotherModel.trains();

    Status end = firstOf(reports.lastWords(2));
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.percent()).isEqualTo(100);
    assertThat(end.number("current_step")).isEqualTo(4 * BATCHES);
    assertThat(end.number("total_steps")).isEqualTo(4 * BATCHES);
    assertThat(end.number("total_epochs")).isEqualTo(4);
  }

  @Test
  void aFitIsCompletedAfterAWhile() {
    FittedRun quiet = new FittedRun("a model", Duration.ofMillis(200));
    fit(quiet, 2);

    assertThat(reports.lastWord().state()).isEqualTo("completed");
  }

  @Test
  void fitsOfEpochsOfOneModelAreRunsInTurnThatStartAtZero() {
    fit(run, 2);
    fit(run, 3);
    AnotherModel.trains();

    assertThat(reports.lastWords(3).subList(0, 2))
        .extracting(end -> end.number("current_step"))
        .containsExactly(2.0 * BATCHES, 3.0 * BATCHES);
  }

  @Test
  void fitsOfOneEpochAreOneRun() {
    fit(run, 1);
    fit(run, 1);
    fit(run, 1);
    AnotherModel.trains();

    Status end = firstOf(reports.lastWords(2));
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_epoch")).isEqualTo(3);
    assertThat(end.number("current_step")).isEqualTo(3 * BATCHES);
    assertThat(end.metric("total_epochs")).isNull();
  }

  @Test
  void fitsOfOneBatchAreOneRun() {
    for (int i = 0; i < 5; i++) {
      run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
      run.step(0.5);
      run.fitEnded(null);
    }
    AnotherModel.trains();

    Status end = firstOf(reports.lastWords(2));
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_step")).isEqualTo(5);
    assertThat(end.number("loss")).isEqualTo(0.5);
    assertThat(end.metric("current_epoch")).isNull();
  }

  @Test
  void whatIsThrownOutOfFitFailsTheRun() {
    run.fitBegan(FitPlan.epochs(4, BATCHES), () -> Counters.ZERO);
    epoch(run);
    run.step(1.0);
    run.fitEnded(new IllegalStateException());

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("failed");
    assertThat(end.percent()).isEqualTo(33);
    assertThat(end.number("current_step")).isEqualTo(BATCHES + 1);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsKnownOfTheEndIsToldAtOnce(Outcome outcome) {
    int most = outcome == Outcome.COMPLETED ? 1 : 10;
    run.fitBegan(FitPlan.untilStopped(most, BATCHES), () -> Counters.ZERO);
    epoch(run);
    run.fitEnded(outcome, null);

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo(outcome.name().toLowerCase(Locale.ROOT));
    assertThat(end.percent()).isEqualTo(100 / most);
  }

  @ParameterizedTest(name = "{0} iterations and {1} epochs before: step {2}, epoch {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "0, 0, 6,  2, 2", //
        "9, 3, 15, 5, 5", //
        // Trained by batches before: what is no epoch by its own count is none.
        "9, 0, 6,  2, 2"
      })
  void aModelThatWasTrainedBeforeGoesOnFromThere(
      int iterations, int epochs, int step, int epoch, int total) {
    run.fitBegan(FitPlan.epochs(2, BATCHES), () -> new Counters(iterations, epochs));
    epoch(run);
    epoch(run);
    run.fitEnded(null);
    AnotherModel.trains();

    Status end = firstOf(reports.lastWords(2));
    assertThat(end.number("current_step")).isEqualTo(step);
    assertThat(end.number("current_epoch")).isEqualTo(epoch);
    assertThat(end.number("total_epochs")).isEqualTo(total);
    assertThat(end.number("total_steps")).isEqualTo(total * BATCHES);
  }

  @Test
  void anEpochThatAModelWasSavedInIsBegunAnew() {
    run.fitBegan(FitPlan.epochs(2, BATCHES), () -> new Counters(2 * BATCHES + 1, 2));
    run.step(1.0);
    run.fitEnded(new IllegalStateException());

    Status end = reports.lastWord();
    assertThat(end.number("current_epoch")).isEqualTo(2.33);
    assertThat(end.number("current_step")).isEqualTo(2 * BATCHES + 2);
  }

  @Test
  void batchesOfAModelThatWasTrainedBeforeCountOn() {
    run.fitBegan(FitPlan.batch(), () -> new Counters(9, 3));
    run.step(1.0);
    run.fitEnded(null);
    AnotherModel.trains();

    Status end = firstOf(reports.lastWords(2));
    assertThat(end.number("current_step")).isEqualTo(10);
    assertThat(end.metric("current_epoch")).isNull();
  }

  @Test
  void anEpochThatOutrunsItsLengthTellsTheRealOne() {
    run.fitBegan(FitPlan.epochs(2, 2), () -> Counters.ZERO);
    epoch(run);
    epoch(run);
    run.fitEnded(null);
    AnotherModel.trains();

    assertThat(firstOf(reports.lastWords(2)).number("total_steps")).isEqualTo(2 * BATCHES);
  }

  @Test
  void passesOfPretrainingAreCountedByTheirLength() {
    run.fitBegan(FitPlan.pretraining(4, 1, BATCHES), () -> Counters.ZERO);
    steps(run, 2 * BATCHES + 1);
    run.fitEnded(new IllegalStateException());

    Status end = reports.lastWord();
    assertThat(end.percent()).isEqualTo(58); // 7 of 12
    assertThat(end.number("current_epoch")).isEqualTo(2.33);
    assertThat(end.number("total_steps")).isEqualTo(4 * BATCHES);
  }

  @Test
  void pretrainedLayersAreDoneWithTheirPasses() {
    run.fitBegan(FitPlan.pretraining(4, 2, BATCHES), () -> Counters.ZERO);
    steps(run, 4 * BATCHES);
    run.epochsEnded(4);
    steps(run, 2 * BATCHES + 1);
    run.fitEnded(new IllegalStateException());

    Status end = reports.lastWord();
    assertThat(end.percent()).isEqualTo(79); // 19 of 24
    assertThat(end.number("current_epoch")).isEqualTo(6.33);
    assertThat(end.number("total_epochs")).isEqualTo(8);
  }

  @ParameterizedTest(name = "{0} batches a pass planned")
  @ValueSource(longs = {0, BATCHES - 1, BATCHES, BATCHES + 1})
  void allPassesOfPretrainingAreDoneWhateverTheirLengthWasPlanned(long planned) {
    run.fitBegan(FitPlan.pretraining(3, 1, planned), () -> Counters.ZERO);
    steps(run, 3 * BATCHES);
    run.epochsEnded(3);
    run.fitEnded(null);
    AnotherModel.trains();

    Status end = firstOf(reports.lastWords(2));
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_epoch")).isEqualTo(3);
    assertThat(end.number("total_steps")).isEqualTo(3 * BATCHES);
  }

  @Test
  void anEvaluationAfterTheLastFitDoesNotKeepTheRunAlive() {
    FittedRun quiet = new FittedRun("a model", Duration.ofMillis(200));
    fit(quiet, 1);
    quiet.evaluating();
    quiet.evaluated();

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_epoch")).isEqualTo(1);
  }

  @Test
  void anEvaluationBetweenBatchesMakesNoEpoch() {
    RunOnAClock clocked = new RunOnAClock();
    FittedRun evaluated = new FittedRun(LONG, clocked::run);
    evaluated.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    evaluated.step(1.0);
    evaluated.fitEnded(null);
    evaluated.evaluating();
    assertThat(clocked.state()).isEqualTo("evaluating");
    evaluated.evaluated();
    assertThat(clocked.state()).isEqualTo("running");
    AnotherModel.trains();
    reports.lastWord(); // the other's

    assertThat(clocked.state()).isEqualTo("completed");
    assertThat(clocked.metric("current_epoch")).isNull();
  }

  @Test
  void callsOnTwoThreadsAtOnceAreOneRun() {
    run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    run.step(1.0);
    run.fitEnded(null);
    run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    run.step(2.0);
    run.fitEnded(null);
    run.step(3.0);
    run.fitEnded(null);
    AnotherModel.trains();

    Status end = firstOf(reports.lastWords(2));
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_step")).isEqualTo(3);
    assertThat(end.number("loss")).isEqualTo(3);
  }

  @Test
  void whenOneOfTwoThreadsFailsTheNextFitIsARunOfItsOwn() {
    run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    run.step(1.0);
    run.fitEnded(new IllegalStateException());
    run.fitEnded(null);
    run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    run.step(2.0);
    run.fitEnded(null);
    AnotherModel.trains();

    assertThat(reports.lastWords(3).subList(0, 2))
        .extracting(end -> end.state() + " " + end.number("current_step"))
        .containsExactly("failed 1.0", "completed 1.0");
  }

  @Test
  void whatWasDoneOfAnEpochThatWasBrokenOffIsNoneOfTheNext() {
    run.fitBegan(FitPlan.epochs(1, BATCHES), () -> Counters.ZERO);
    steps(run, BATCHES - 1);
    assertThat(run.isEpochFull()).isFalse();
    run.fitEnded(null);
    run.fitBegan(FitPlan.epochs(1, BATCHES), () -> Counters.ZERO);
    steps(run, BATCHES - 1);
    assertThat(run.isEpochFull()).isFalse();
    run.step(1.0);
    assertThat(run.isEpochFull()).isTrue();
    run.fitEnded(null);
    AnotherModel.trains();

    reports.lastWords(2);
  }

  @Test
  void figuresAreDueAtFirstAndTheCheapOnesWhereAnEpochEnds() {
    List<Due> due = new ArrayList<>();
    run.fitBegan(FitPlan.epochs(2, BATCHES), () -> Counters.ZERO);
    for (int i = 0; i < BATCHES; i++) {
      due.add(run.step(1.0));
    }
    run.epochsEnded(1);
    run.fitEnded(Outcome.COMPLETED, null);
    reports.lastWord();

    assertThat(due.get(0)).isEqualTo(Due.ALL);
    assertThat(due.get(BATCHES - 1)).isNotEqualTo(Due.NOTHING);
  }

  @Test
  void theCheapFiguresAreDueWithEachBatchThatIsTrainedByItself() {
    List<Due> due = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
      due.add(run.step(1.0));
      run.fitEnded(null);
    }
    AnotherModel.trains();
    reports.lastWords(2);

    assertThat(due).first().isEqualTo(Due.ALL);
    assertThat(due).doesNotContain(Due.NOTHING);
  }

  /** A report's interval is a second here, in which the devices are asked four times. */
  @Test
  void whereEachStepEndsAnEpochTheDevicesAreAskedNowAndThen() {
    long began = System.nanoTime();
    int asked = 0;
    run.fitBegan(FitPlan.epochs(1_000, 1), () -> Counters.ZERO);
    for (int i = 0; i < 1_000; i++) {
      asked += run.step(1.0) == Due.ALL ? 1 : 0;
      run.epochsEnded(1);
    }
    long quarters = Duration.ofNanos(System.nanoTime() - began).toMillis() / 250;
    run.fitEnded(Outcome.COMPLETED, null);
    reports.lastWord();

    assertThat(asked).isBetween(1, (int) quarters + 2);
  }

  @Test
  void nothingIsDueOfARunThatIsNotReported() {
    FittedRun second = new FittedRun("a second model", LONG);
    run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    run.step(1.0);
    second.fitBegan(FitPlan.epochs(2, 1), () -> Counters.ZERO);
    assertThat(second.step(1.0)).isEqualTo(Due.NOTHING);
    second.fitEnded(null);
    run.fitEnded(null);
    AnotherModel.trains();

    reports.lastWords(2);
  }

  @Test
  void ofTwoModelsAtOnceTheFirstIsReported() {
    FittedRun second = new FittedRun("a second model", LONG);
    for (int i = 0; i < 4; i++) {
      run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
      run.step(1.0);
      run.fitEnded(null);
      second.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
      second.step(2.0);
      second.fitEnded(null);
    }
    AnotherModel.trains();

    Status end = firstOf(reports.lastWords(2));
    assertThat(end.number("loss")).isEqualTo(1);
    assertThat(end.number("current_step")).isEqualTo(4);
  }

  @ParameterizedTest(name = "{0} epochs of the second")
  @ValueSource(ints = {2, 5})
  void ofModelsThatWereMadeFirstAndAreTrainedInTurnEachIsReported(int epochs) {
    FittedRun second = new FittedRun("a second model", LONG);
    for (int i = 0; i < 3; i++) {
      fit(run, 1);
    }
    for (int i = 0; i < epochs; i++) {
      fit(second, 1);
    }
    AnotherModel.trains();

    assertThat(reports.lastWords(3).subList(0, 2))
        .extracting(FittedRunTest::stateEpochAndStep)
        .containsExactly("completed 3 9", "completed " + epochs + " " + epochs * BATCHES);
  }

  @Test
  void ofModelsAtOnceTheSecondIsReportedAsSoonAsTheFirstHasDoneAll() {
    FittedRun second = new FittedRun("a second model", LONG);
    run.fitBegan(FitPlan.epochs(2, BATCHES), () -> Counters.ZERO);
    second.fitBegan(FitPlan.epochs(4, BATCHES), () -> Counters.ZERO);
    epoch(second);
    epoch(run);
    epoch(run);
    run.fitEnded(null);
    second.step(1.0);
    assertThat(stateEpochAndStep(reports.lastWord())).isEqualTo("completed 2 6");
    second.step(1.0);
    assertThat(second.isReported()).isTrue();
    second.fitEnded(new IllegalStateException());

    assertThat(stateEpochAndStep(reports.lastWord())).isEqualTo("failed 1.66 5");
  }

  /** As the two of a GAN may. */
  @Test
  void ofModelsThatTakeTurnsByEpochsTheFirstIsReported() {
    FittedRun second = new FittedRun("a second model", LONG);
    for (int i = 0; i < 4; i++) {
      fit(run, 1);
      fit(second, 1);
    }
    AnotherModel.trains();

    assertThat(stateEpochAndStep(firstOf(reports.lastWords(2)))).isEqualTo("completed 4 12");
  }

  private static String stateEpochAndStep(Status end) {
    return end.state() + " " + end.metric("current_epoch") + " " + end.metric("current_step");
  }

  @ParameterizedTest(name = "{0} iterations and {1} epochs before")
  @CsvSource({"0, 0", "9, 3"})
  void aFitThatWasKeptFromItsTurnIsReportedOnceTheOtherIsOver(int iterations, int epochs) {
    FittedRun first = new FittedRun("a first model", Duration.ofMillis(200));
    FittedRun second = new FittedRun("a second model", LONG);
    first.fitBegan(FitPlan.epochs(1, BATCHES), () -> Counters.ZERO);
    epoch(first);
    first.fitEnded(null);
    second.fitBegan(FitPlan.epochs(4, BATCHES), () -> new Counters(iterations, epochs));
    epoch(second);
    second.step(1.0);
    assertThat(second.isReported()).isFalse();
    assertThat(reports.lastWord().state()).isEqualTo("completed");

    steps(second, BATCHES - 1);
    assertThat(second.isReported()).isTrue();
    second.epochsEnded(1);
    epoch(second);
    epoch(second);
    second.fitEnded(null);
    AnotherModel.trains();

    Status end = firstOf(reports.lastWords(2));
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_step")).isEqualTo(iterations + 4 * BATCHES);
    assertThat(end.number("current_epoch")).isEqualTo(epochs + 4);
    assertThat(end.number("total_epochs")).isEqualTo(epochs + 4);
    assertThat(end.number("total_steps")).isEqualTo(iterations + 4 * BATCHES);
  }

  /** The counters of the model stand still, as those of one in a ParallelWrapper do. */
  @ParameterizedTest(name = "fits of {0} epochs, {1} iterations and {2} epochs before")
  @CsvSource({"1, 0, 0", "1, 9, 3", "2, 0, 0", "2, 9, 3"})
  void fitsThatNobodyHeardOfCountOnceTheModelIsReported(int each, int iterations, int epochs) {
    FittedRun first = new FittedRun("a first model", LONG);
    FittedRun second = new FittedRun("a second model", LONG);
    first.fitBegan(FitPlan.untilStopped(0, 0), () -> Counters.ZERO);
    for (int i = 0; i < 2; i++) {
      fit(second, each, new Counters(iterations, epochs));
    }
    assertThat(second.isReported()).isFalse();
    first.fitEnded(Outcome.STOPPED_EARLY, null);
    fit(second, each, new Counters(iterations, epochs));
    fit(second, 2, new Counters(iterations, epochs));
    AnotherModel.trains();

    List<Status> ends = reports.lastWords(4);
    assertThat(ends.get(1).state()).isEqualTo("completed");
    assertThat(ends.get(1).number("current_step")).isEqualTo(iterations + 3 * each * BATCHES);
    assertThat(ends.get(1).number("current_epoch")).isEqualTo(epochs + 3 * each);
    assertThat(ends.get(2).number("current_step")).as("a second run").isEqualTo(2 * BATCHES);
  }

  @Test
  void batchesThatNobodyHeardOfCountOnceTheModelIsReported() {
    FittedRun first = new FittedRun("a first model", LONG);
    FittedRun second = new FittedRun("a second model", LONG);
    first.fitBegan(FitPlan.untilStopped(0, 0), () -> Counters.ZERO);
    batches(second, 4);
    first.fitEnded(Outcome.STOPPED_EARLY, null);
    batches(second, 2);
    AnotherModel.trains();

    Status end = reports.lastWords(3).get(1);
    assertThat(end.number("current_step")).isEqualTo(9 + 6);
    assertThat(end.metric("current_epoch")).isNull();
  }

  private static void batches(FittedRun run, int count) {
    for (int i = 0; i < count; i++) {
      run.fitBegan(FitPlan.batch(), () -> new Counters(9, 3));
      run.step(1.0);
      run.fitEnded(null);
    }
  }

  @Test
  void aModelThatWasMadeAfterTheLastStepsOfAnotherComesAfterIt() {
    run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    run.step(1.0);
    run.fitEnded(null);
    FittedRun second = new FittedRun("a second model", LONG);
    second.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    second.step(2.0);
    second.fitEnded(null);
    AnotherModel.trains();

    assertThat(reports.lastWords(3).subList(0, 2))
        .extracting(end -> end.state() + " " + end.number("loss"))
        .containsExactly("completed 1.0", "completed 2.0");
  }

  private static void fit(FittedRun run, int epochs) {
    fit(run, epochs, Counters.ZERO);
  }

  private static void fit(FittedRun run, int epochs, Counters before) {
    run.fitBegan(FitPlan.epochs(epochs, BATCHES), () -> before);
    for (int i = 0; i < epochs; i++) {
      epoch(run);
    }
    run.fitEnded(null);
  }

  private static void epoch(FittedRun run) {
    steps(run, BATCHES);
    run.epochsEnded(1);
  }

  private static void steps(FittedRun run, int count) {
    for (int i = 0; i < count; i++) {
      run.step(1.0);
    }
  }

  private static Status firstOf(List<Status> ends) {
    return ends.get(0);
  }
}
