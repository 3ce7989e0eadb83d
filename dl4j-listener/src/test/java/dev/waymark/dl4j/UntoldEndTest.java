package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.RunOnAClock;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run whose end nobody tells is over one minute after the last that was heard of it. */
class UntoldEndTest {
  private static final int BATCHES = 3;
  private static final Duration ALMOST_A_MINUTE = Duration.ofSeconds(59);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final RunOnAClock clocked = new RunOnAClock();

  static Stream<Arguments> plans() {
    return Stream.of(
        Arguments.of("fit(iterator, 2)", FitPlan.epochs(2, BATCHES), 2),
        Arguments.of("fit(iterator, 2), of unknown length", FitPlan.epochs(2, 0), 2),
        Arguments.of("fit(iterator)", FitPlan.epochs(1, BATCHES), 1),
        Arguments.of("fit(batch)", FitPlan.batch(), 0),
        Arguments.of("pretrain(iterator, 2)", FitPlan.pretraining(2, 1, BATCHES), 2));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("plans")
  void aFitThatHasReturnedIsOverAfterAMinute(String call, FitPlan plan, int epochs) {
    FittedRun run = new FittedRun(UntoldEnd.QUIET, clocked::run);
    fit(run, plan, epochs);

    clocked.pass(ALMOST_A_MINUTE);
    assertThat(clocked.state()).isEqualTo("running");
    clocked.pass(SECOND);
    assertThat(clocked.state()).isEqualTo("completed");
  }

  @Test
  void withinAFitNoTimeIsTooLong() {
    FittedRun run = new FittedRun(UntoldEnd.QUIET, clocked::run);
    run.fitBegan(FitPlan.batch(), () -> Counters.ZERO);
    run.step(1.0);

    clocked.pass(Duration.ofDays(1));
    assertThat(clocked.state()).isEqualTo("running");
  }

  @Test
  void withinABatchOfALoopNeither() {
    FittedRun run = loop();
    assertThat(run.batchBeginsAgain()).isTrue();
    run.step(1.0);

    clocked.pass(Duration.ofDays(1));
    assertThat(clocked.state()).isEqualTo("running");
  }

  @Test
  void aLoopOfBatchesIsOverAMinuteAfterItsLast() {
    FittedRun run = loop();
    assertThat(run.batchBeginsAgain()).isTrue();
    run.step(1.0);
    assertThat(run.batchEndsAgain()).isTrue();

    clocked.pass(ALMOST_A_MINUTE);
    assertThat(clocked.state()).isEqualTo("running");
    clocked.pass(SECOND);
    assertThat(clocked.state()).isEqualTo("completed");
    assertThat(run.batchBeginsAgain()).as("of a run that is over").isFalse();
  }

  @Test
  void aBatchOfALoopThatTookItsTimeEndsAsAnyOther() {
    FittedRun run = loop();
    assertThat(run.batchBeginsAgain()).isTrue();
    clocked.pass(Duration.ofSeconds(50));
    run.step(1.0);
    assertThat(run.batchEndsAgain()).isFalse();
    run.batchIsFit();
    run.fitEnded(null);
    assertThat(run.isInLoop()).isTrue();

    clocked.pass(Duration.ofSeconds(149));
    assertThat(clocked.state()).isEqualTo("running");
    clocked.pass(SECOND);
    assertThat(clocked.state()).isEqualTo("completed");
  }

  @Test
  void aBatchOfALoopWithoutAStepEndsAsAnyOther() {
    FittedRun run = loop();
    assertThat(run.batchBeginsAgain()).isTrue();
    assertThat(run.batchEndsAgain()).isFalse();
  }

  private FittedRun loop() {
    FittedRun run = new FittedRun(UntoldEnd.QUIET, clocked::run);
    fit(run, FitPlan.batch(), 0);
    assertThat(run.isInLoop()).isTrue();
    return run;
  }

  @Test
  void theNextFitBeginsTheMinuteAnew() {
    FittedRun run = new FittedRun(UntoldEnd.QUIET, clocked::run);
    for (int i = 0; i < 3; i++) {
      fit(run, FitPlan.epochs(1, BATCHES), 1);
      clocked.pass(Duration.ofSeconds(15));
    }

    clocked.pass(Duration.ofSeconds(44));
    assertThat(clocked.state()).isEqualTo("running");
    clocked.pass(SECOND);
    assertThat(clocked.state()).isEqualTo("completed");
  }

  /** What has come after 50 s may come so late again. */
  @Test
  void fitsFarBetweenAreWaitedForThreeTimesAsLong() {
    FittedRun run = new FittedRun(UntoldEnd.QUIET, clocked::run);
    fit(run, FitPlan.batch(), 0);
    clocked.pass(Duration.ofSeconds(50));
    fit(run, FitPlan.batch(), 0);

    clocked.pass(Duration.ofSeconds(149));
    assertThat(clocked.state()).isEqualTo("running");
    clocked.pass(SECOND);
    assertThat(clocked.state()).isEqualTo("completed");
  }

  @ParameterizedTest(name = "{0} of 2 epochs, listened to: {1}")
  @MethodSource("listened")
  void aTrainingThatIsListenedToIsOverAfterAMinuteIfAllIsDone(
      int epochs, String afterAMinute, String afterADay) {
    ListenedTraining training = new ListenedTraining(2, BATCHES, clocked::run);
    for (int i = 0; i < epochs; i++) {
      training.epochBegan(new Counters(i * BATCHES, i));
      steps(training);
      training.epochEnded();
    }

    clocked.pass(ALMOST_A_MINUTE);
    assertThat(clocked.state()).isEqualTo("running");
    clocked.pass(SECOND);
    assertThat(clocked.state()).isEqualTo(afterAMinute);
    clocked.pass(Duration.ofDays(1));
    assertThat(clocked.state()).isEqualTo(afterADay);
  }

  static Stream<Arguments> listened() {
    return Stream.of(
        Arguments.of(2, "completed", "completed"),
        // More was planned, and may come at any time.
        Arguments.of(1, "running", "running"));
  }

  @Test
  void batchesThatAreListenedToAreOverAfterAMinute() {
    ListenedTraining training = new ListenedTraining(0, 0, clocked::run);
    steps(training);

    clocked.pass(ALMOST_A_MINUTE);
    assertThat(clocked.state()).isEqualTo("running");
    clocked.pass(SECOND);
    assertThat(clocked.state()).isEqualTo("completed");
  }

  private static void fit(FittedRun run, FitPlan plan, int epochs) {
    run.fitBegan(plan, () -> Counters.ZERO);
    for (int i = 0; i < Math.max(1, epochs) * BATCHES; i++) {
      run.step(1.0);
      if ((i + 1) % BATCHES == 0 && epochs > 0 && !plan.isPretraining()) {
        run.epochsEnded(1);
      }
    }
    if (plan.isPretraining()) {
      run.epochsEnded(epochs);
    }
    run.fitEnded(null);
  }

  private static void steps(ListenedTraining training) {
    for (int i = 0; i < BATCHES; i++) {
      training.step(1.0, new Counters(i, 0));
    }
  }
}
