package dev.waymark.reporter;

import static dev.waymark.reporter.RunSnapshot.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiveRunTest {
  private final ManualClock clock = new ManualClock();
  private final LiveRun run = run(Map.of());

  @Test
  void saysThatItRunsAndNothingThatItDoesNotKnow() {
    RunSnapshot snapshot = run.snapshot();

    assertThat(snapshot.state()).isEqualTo(RunState.RUNNING);
    assertThat(snapshot.percent()).isEqualTo(UNKNOWN);
    assertThat(snapshot.remainingSeconds()).isEqualTo(UNKNOWN);
    assertThat(snapshot.own())
        .extracting(Metric::toString)
        .containsExactly("state=running", "run=3");
    assertThat(snapshot.others()).isEmpty();
  }

  @Test
  void reportsItsNumbersUnderTheNamesOfHuggingFacesCallback() {
    run.plan(4, 100);
    run.resumedAtEpoch(1);
    steps(50, 0.1);
    run.step(0.25f);
    run.learningRate(1e-3f);
    run.metric("accuracy", 0.5);

    RunSnapshot snapshot = run.snapshot();

    assertThat(snapshot.own())
        .extracting(Metric::toString)
        .containsExactly(
            "state=running",
            "run=3",
            "current_step=151",
            "total_steps=400",
            "current_epoch=1.51",
            "total_epochs=4",
            "loss=0.25",
            "learning_rate=0.001");
    assertThat(snapshot.others()).extracting(Metric::toString).containsExactly("accuracy=0.5");
    assertThat(snapshot.percent()).isEqualTo(37);
  }

  static Stream<Arguments> states() {
    return Stream.of(
        state("start", r -> {}, RunState.RUNNING),
        state("step", LiveRun::step, RunState.RUNNING),
        state("evaluating", LiveRun::evaluating, RunState.EVALUATING),
        state(
            "a step ends the evaluation",
            r -> {
              r.evaluating();
              r.step();
            },
            RunState.RUNNING),
        state(
            "a step with its loss does so too",
            r -> {
              r.evaluating();
              r.step(0.5);
            },
            RunState.RUNNING),
        state(
            "the epoch's end ends its evaluation",
            r -> {
              r.evaluating();
              r.epochEnded(1);
            },
            RunState.RUNNING),
        state(
            "numbers don't end the evaluation",
            r -> {
              r.evaluating();
              r.metric("eval_loss", 0.5);
              r.loss(0.5);
            },
            RunState.EVALUATING),
        state(
            "the first end counts",
            r -> {
              r.end(RunState.DIVERGED);
              r.end(RunState.COMPLETED);
            },
            RunState.DIVERGED),
        state(
            "nothing moves an ended run",
            r -> {
              r.end(RunState.FAILED);
              r.evaluating();
              r.step();
              r.endWithJvm(true);
            },
            RunState.FAILED));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("states")
  void hasAState(String what, Consumer<LiveRun> told, RunState expected) {
    told.accept(run);

    RunSnapshot snapshot = run.snapshot();

    assertThat(snapshot.state()).isEqualTo(expected);
    assertThat(snapshot.own().get(0)).hasToString("state=" + expected.reported());
  }

  @ParameterizedTest
  @EnumSource(
      value = RunState.class,
      names = {"STOPPED_EARLY", "FAILED", "DIVERGED", "INTERRUPTED"})
  void keepsItsTruePercentAndDropsTheRemainingTimeWhenItEndsOtherwise(RunState end) {
    run.planSteps(100);
    steps(40, 1);
    run.remaining(Duration.ofMinutes(1).toNanos());

    assertThat(run.end(end)).isTrue();

    RunSnapshot snapshot = run.snapshot();
    assertThat(snapshot.percent()).isEqualTo(40);
    assertThat(snapshot.remainingSeconds()).isEqualTo(UNKNOWN);
    assertThat(names(snapshot.own())).contains("current_step", "total_steps");
  }

  @Test
  void aRunThatEndsOtherwiseAfterItsLastStepStaysBelow100() {
    run.planSteps(10);
    steps(10, 1);
    run.end(RunState.STOPPED_EARLY);
    assertThat(run.snapshot().percent()).isEqualTo(99);
  }

  @Test
  void aRunThatEndsOtherwiseWithoutAPlanHasNoPercent() {
    steps(10, 1);
    run.end(RunState.FAILED);
    assertThat(run.snapshot().percent()).isEqualTo(UNKNOWN);
  }

  @Test
  void shows100AndNoTimeLeftOnlyWhenItHasCompleted() {
    run.planSteps(100);
    steps(100, 1);
    assertThat(run.snapshot().percent()).isEqualTo(99);

    run.end(RunState.COMPLETED);

    assertThat(run.snapshot().percent()).isEqualTo(100);
    assertThat(run.snapshot().remainingSeconds()).isZero();
  }

  @Test
  void shows100WhenItHasCompletedWithoutAPlanOrBeforeItsEnd() {
    run.planSteps(100);
    steps(3, 1);
    run.end(RunState.COMPLETED);
    assertThat(run.snapshot().percent()).isEqualTo(100);
  }

  @Test
  void neverFalls() {
    run.planSteps(100);
    steps(50, 1);
    assertThat(run.snapshot().percent()).isEqualTo(50);

    run.planSteps(1000);
    assertThat(run.snapshot().percent()).isEqualTo(50);
    run.planSteps(0);
    assertThat(run.snapshot().percent()).isEqualTo(50);
    run.progress(20);
    assertThat(run.snapshot().percent()).isEqualTo(50);
    run.end(RunState.INTERRUPTED);
    assertThat(run.snapshot().percent()).isEqualTo(50);
  }

  @ParameterizedTest(name = "told {0}: {1} %")
  @CsvSource({
    "-5, 0",
    "0, 0",
    "42.9, 42",
    "99.99, 99",
    "100, 99",
    "1e300, 99",
    "NaN, 10",
    "Infinity, 10"
  })
  void takesTheProgramsOwnProgressBeforeThePlan(double told, int expected) {
    run.planSteps(100);
    steps(10, 1);
    run.progress(told);
    assertThat(run.snapshot().percent()).isEqualTo(Math.max(0, expected));
  }

  @Test
  void takesTheProgramsOwnRemainingTimeBeforeItsEstimateAndCountsItDown() {
    run.planSteps(100);
    steps(10, 1);
    run.remaining(Duration.ofMinutes(10).toNanos());
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(600);

    clock.advanceSeconds(60);
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(540);
    clock.advanceSeconds(3600);
    assertThat(run.snapshot().remainingSeconds()).isZero();

    run.remaining(-1);
    run.step();
    assertThat(run.snapshot().remainingSeconds()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void leavesOutWhatIsNoNumberAndDoesNotTakeItForDivergence(double number) {
    run.step(0.5);
    run.learningRate(0.1);
    run.metric("accuracy", 1);
    run.step(number);
    run.learningRate(number);
    run.metric("accuracy", number);
    run.metric("perplexity", number);

    RunSnapshot snapshot = run.snapshot();

    assertThat(names(snapshot.own())).doesNotContain("loss", "learning_rate");
    assertThat(snapshot.others()).isEmpty();
    assertThat(snapshot.state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void hasNoEstimateUntilItMeansSomething() {
    run.planSteps(100);
    steps(2, 1);
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(UNKNOWN);
    steps(1, 1);
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(97);
  }

  @Test
  void hasNoEstimateWhileTheTotalIsUnknown() {
    run.plan(10, 0);
    steps(100, 1);
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(UNKNOWN);

    run.epochEnded(1);

    assertThat(run.snapshot().remainingSeconds()).isEqualTo(900);
  }

  @Test
  void aProgramThatTellsNoEpochsEndIsFollowedToItsEnd() {
    run.plan(10, 100);
    for (int step = 100; step <= 1000; step += 100) {
      steps(100, 0.5);
      RunSnapshot snapshot = run.snapshot();
      assertThat(snapshot.percent()).isEqualTo(Math.min(99, step / 10));
      assertThat(snapshot.remainingSeconds()).isEqualTo((1000 - step) / 2);
      assertThat(snapshot.own())
          .extracting(Metric::toString)
          .contains("total_steps=1000", "current_epoch=" + step / 100);
    }
  }

  @Test
  void estimatesByEpochsWhereNoStepsAreReported() {
    run.plan(10, 0);
    clock.advanceSeconds(30);
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(UNKNOWN);
    run.epochEnded();
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(270);
    clock.advanceSeconds(10);
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(260);
  }

  @Test
  void aResumedRunEstimatesFromThisSessionAlone() {
    clock.advanceSeconds(100);
    run.resumedAt(500);
    run.planSteps(1000);
    steps(10, 0.5);

    assertThat(run.snapshot().percent()).isEqualTo(51);
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(245);
  }

  @Test
  void whatComesBeforeThePlanIsNoStep() {
    clock.advanceSeconds(600);
    run.planSteps(100);
    steps(3, 1);
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(97);
  }

  @Test
  void aPlanToldInTheMiddleDoesNotForgetTheSteps() {
    steps(10, 1);
    run.planSteps(100);
    assertThat(run.snapshot().remainingSeconds()).isEqualTo(90);
  }

  @Test
  void takesEpochsFromTheSettings() {
    LiveRun set = run(1, Map.of("WAYMARK_EPOCHS", "8", "WAYMARK_START_EPOCH", "2"));
    set.plan(4, 10);
    set.epochEnded();
    assertThat(set.snapshot().own())
        .extracting(Metric::toString)
        .contains("total_epochs=8", "current_epoch=3");
    assertThat(set.snapshot().percent()).isEqualTo(37);
    assertThat(set.epochsBefore()).isEqualTo(2);
  }

  @Test
  void onlyTheFirstRunOfAProcessStartsAtTheEpochOfTheSettings() {
    LiveRun second = run(2, Map.of("WAYMARK_START_EPOCH", "2"));
    second.plan(4, 10);
    assertThat(second.epochsBefore()).isZero();
    assertThat(second.snapshot().percent()).isZero();
  }

  @Nested
  class APresumption {
    @Test
    void completesTheRunWhenNoStepComesForAWhile() {
      run.presumeEnd(seconds(60), false, false);
      clock.advanceSeconds(59.9);
      assertThat(run.endIfQuiet()).isFalse();
      run.step();
      clock.advanceSeconds(59.9);
      assertThat(run.endIfQuiet()).as("a step starts the time anew").isFalse();
      clock.advanceSeconds(0.1);
      assertThat(run.endIfQuiet()).isTrue();
      assertThat(run.snapshot().state()).isEqualTo(RunState.COMPLETED);
      assertThat(run.endIfQuiet()).as("once").isFalse();
    }

    @ParameterizedTest(name = "over {0}, quiet {1} s, gap {2} s, evaluating {3}: ended after {4} s")
    @CsvSource({
      "false, 60, 1, false, 60",
      "false, 60, 20, false, 60",
      "false, 60, 21, false, 63",
      "false, 60, 300, false, 900",
      "false, 60, 1199, false, 3597",
      "false, 60, 5000, false, 3600",
      "false, 7200, 5000, false, 7200",
      "false, 60, 1, true, 600",
      "false, 60, 300, true, 900",
      "false, 1000, 1, true, 1000",
      "true, 60, 1, false, 60",
      "true, 60, 300, false, 60",
      "true, 60, 5000, true, 60"
    })
    void waitsLongerThanThePausesOfTheRunUnlessItIsOver(
        boolean over, long quiet, double longestGap, boolean evaluating, double endedAfter) {
      steps(2, 1);
      steps(1, longestGap);
      steps(2, 1);
      run.presumeEnd(seconds(quiet), over, false);
      if (evaluating) {
        run.evaluating();
      }
      assertEndsAfter(endedAfter);
    }

    @ParameterizedTest(name = "{0} s long, epoch told {1}, evaluating again {2}: ended after {3} s")
    @CsvSource({
      "300, false, false, 60",
      "300, true,  false, 60",
      "300, false, true,  900",
      "300, true,  true,  900",
      "100, true,  true,  600",
      "900, false, true,  2700",
      "5000, true, true,  3600"
    })
    void takesAnEvaluationForAPauseOfEvaluationsOnly(
        double length, boolean epochTold, boolean evaluatingAgain, double endedAfter) {
      steps(2, 1);
      run.evaluating();
      if (epochTold) {
        clock.advanceSeconds(length);
        run.epochEnded(1);
        steps(1, 1);
      } else {
        steps(1, length);
      }
      run.presumeEnd(seconds(60), false, false);
      if (evaluatingAgain) {
        run.evaluating();
      }
      assertEndsAfter(endedAfter);
    }

    private void assertEndsAfter(double seconds) {
      clock.advanceSeconds(seconds - 0.1);
      assertThat(run.endIfQuiet()).isFalse();
      clock.advanceSeconds(0.2);
      assertThat(run.endIfQuiet()).isTrue();
    }

    @Test
    void doesNotTakeTheTimeBeforeTheFirstStepForAPause() {
      steps(1, 1000);
      run.presumeEnd(seconds(60), false, false);
      clock.advanceSeconds(60);
      assertThat(run.endIfQuiet()).isTrue();
    }

    @Test
    void countsFromNowNotFromTheLastStep() {
      run.step();
      clock.advanceSeconds(100);
      run.presumeEnd(seconds(60), false, false);
      assertThat(run.endIfQuiet()).isFalse();
      assertThat(run.hasEnded()).isFalse();
    }

    @Test
    void canBeTakenBack() {
      run.presumeEnd(seconds(60), false, true);
      run.withdrawPresumption();
      clock.advanceSeconds(1000);
      assertThat(run.endIfQuiet()).isFalse();
      run.endWithJvm(false);
      assertThat(run.snapshot().state()).isEqualTo(RunState.INTERRUPTED);
    }

    @Test
    void doesNotHoldWithinACallThatTellsItsEnd() {
      run.presumeEnd(seconds(60), true, true);
      run.busy(true);
      run.step();
      clock.advanceSeconds(1000);
      assertThat(run.endIfQuiet()).isFalse();
      run.step();
      run.busy(false);
      assertEndsAfter(60);
    }

    @Test
    void whereTheJvmEndsWithinSuchACallTheRunIsInterrupted() {
      run.presumeEnd(seconds(60), true, true);
      run.busy(true);
      run.endWithJvm(false);
      assertThat(run.snapshot().state()).isEqualTo(RunState.INTERRUPTED);
    }

    @Test
    void isNoneByDefault() {
      clock.advanceSeconds(1_000_000);
      assertThat(run.endIfQuiet()).isFalse();
    }

    @ParameterizedTest(name = "{0} of 10 steps, over {1}: {2}, with the JVM {3}")
    @CsvSource({
      "10, false, COMPLETED,     COMPLETED",
      "9,  false, RUNNING,       INTERRUPTED",
      "10, true,  COMPLETED,     COMPLETED",
      "9,  true,  STOPPED_EARLY, STOPPED_EARLY"
    })
    void heedsThePlan(int steps, boolean over, RunState afterAWhile, RunState atJvmEnd) {
      LiveRun quiet = run(1, Map.of());
      for (LiveRun planned : List.of(run, quiet)) {
        planned.planSteps(10);
        planned.presumeEnd(seconds(60), over, true);
        for (int step = 0; step < steps; step++) {
          planned.step();
        }
      }
      run.endWithJvm(true);
      assertThat(run.snapshot().state()).isEqualTo(atJvmEnd);

      clock.advanceSeconds(60);
      assertThat(quiet.endIfQuiet()).isEqualTo(afterAWhile.isEnd());
      assertThat(quiet.snapshot().state()).isEqualTo(afterAWhile);
      assertThat(quiet.snapshot().percent()).isEqualTo(steps == 10 ? 100 : 90);
    }

    @ParameterizedTest(name = "presumed {0}, even if signalled {1}, signalled {2}: {3}")
    @CsvSource({
      "false, false, false, INTERRUPTED",
      "false, false, true,  INTERRUPTED",
      "true,  false, false, COMPLETED",
      "true,  false, true,  INTERRUPTED",
      "true,  true,  false, COMPLETED",
      "true,  true,  true,  COMPLETED"
    })
    void tellsHowTheRunEndsWithTheJvm(
        boolean presumed, boolean evenIfSignalled, boolean signalled, RunState expected) {
      if (presumed) {
        run.presumeEnd(seconds(60), false, evenIfSignalled);
      }
      assertThat(run.endWithJvm(signalled)).isTrue();
      assertThat(run.snapshot().state()).isEqualTo(expected);
    }
  }

  @Test
  void takesInNothingOnceItStandsAside() {
    run.planSteps(10);
    run.step();

    assertThat(run.standAside()).isTrue();
    assertThat(run.standAside()).isFalse();

    run.step();
    run.metric("accuracy", 1);
    assertThat(run.end(RunState.COMPLETED)).isFalse();
    assertThat(run.isAside()).isTrue();
    assertThat(run.isLive()).isFalse();
    assertThat(run.hasEnded()).isFalse();
    assertThat(run.snapshot().percent()).isEqualTo(10);
    assertThat(run.snapshot().others()).isEmpty();
  }

  @Test
  void anEndedRunTakesInNothingAndDoesNotStandAside() {
    run.planSteps(10);
    steps(5, 1);
    run.end(RunState.STOPPED_EARLY);
    List<String> before = run.snapshot().own().stream().map(Metric::toString).toList();

    assertThat(run.standAside()).isFalse();
    run.plan(1, 1);
    run.planSteps(5);
    run.resumedAt(4);
    run.resumedAtEpoch(4);
    run.step(1);
    run.step();
    run.loss(1);
    run.learningRate(1);
    run.metric("accuracy", 1);
    run.epochEnded(1);
    run.epochEnded();
    run.evaluating();
    run.progress(90);
    run.remaining(5);
    run.presumeEnd(0, false, true);

    assertThat(run.snapshot().own()).extracting(Metric::toString).isEqualTo(before);
    assertThat(run.snapshot().others()).isEmpty();
    assertThat(run.snapshot().percent()).isEqualTo(50);
    assertThat(run.isAside()).isFalse();
    assertThat(run.endIfQuiet()).isFalse();
  }

  @Test
  void keepsTheFirst256NamesAndSaysThatThereWereMore() {
    for (int i = 0; i < 256; i++) {
      run.metric("metric_" + i, i);
    }
    assertThat(run.snapshot().metricsLeftOut()).isFalse();

    run.metric("one_more", 1);
    run.metric("metric_0", 7);

    assertThat(run.snapshot().metricsLeftOut()).isTrue();
    assertThat(run.snapshot().others()).hasSize(256);
    assertThat(run.snapshot().others().get(0)).hasToString("metric_0=7");
  }

  static List<EtaTrace> traces() {
    return EtaTrace.all().toList();
  }

  /**
   * As a program tells it: evaluating(), whose end only the next step or epochEnded() tells. In
   * "mixed" a checkpoint that nobody announces follows every second evaluation: nothing tells the
   * two apart then, and the first pause, which has both, is taken for the rule until the second.
   */
  @ParameterizedTest
  @MethodSource("traces")
  void estimatesAsWellWhenAProgramFeedsIt(EtaTrace trace) {
    List<Double> estimates = feed(trace, r -> r.planSteps(trace.totalSteps()), true);

    double most = trace.name().equals("mixed") ? 4.6 : trace.mostError();
    assertThat(trace.meanErrorPercent(estimates)).isLessThanOrEqualTo(most);
  }

  @Test
  void anEpochsEndTellsThePausesLengthExactly() {
    EtaTrace trace = EtaTrace.load("epochs");

    List<Double> estimates = feed(trace, r -> r.planSteps(trace.totalSteps()), true);

    for (int i = 3; i < estimates.size(); i++) {
      assertThat(estimates.get(i)).isCloseTo(trace.reference().get(i), within(0.51));
    }
  }

  @Test
  void estimatesAsWellWhenItMustLearnTheEpochsLength() {
    EtaTrace trace = EtaTrace.load("epochs");

    List<Double> estimates = feed(trace, r -> r.plan(10, 0), true);

    assertThat(estimates.subList(0, 100)).allMatch(e -> e == UNKNOWN);
    assertThat(estimates.subList(100, 1000)).noneMatch(e -> e == UNKNOWN);
    assertThat(trace.meanErrorPercent(estimates)).isLessThanOrEqualTo(trace.mostError());
  }

  /** Half of what Hugging Face's formula errs here, which knows the steps (15.0 %). */
  @Test
  void estimatesByEpochsAlone() {
    EtaTrace trace = EtaTrace.load("epochs");

    List<Double> estimates = feed(trace, r -> r.plan(10, 0), false);

    assertThat(estimates.subList(100, 1000)).noneMatch(e -> e == UNKNOWN);
    assertThat(trace.meanErrorPercent(estimates)).isLessThan(7.3);
  }

  /** Returns the estimates at the step ends, whether or not the run is told of the steps. */
  private List<Double> feed(EtaTrace trace, Consumer<LiveRun> plan, boolean withSteps) {
    List<Double> estimates = new ArrayList<>();
    clock.set(0);
    plan.accept(run);
    run.resumedAt(trace.startStep());
    int epoch = 0;
    for (EtaTrace.Event event : trace.events()) {
      clock.set(event.nanos());
      switch (event.what()) {
        case "step_end" -> {
          if (withSteps) {
            run.step();
          }
          estimates.add((double) run.snapshot().remainingSeconds());
        }
        case "eval_begin" -> run.evaluating();
        case "epoch_end" -> run.epochEnded(++epoch);
        default -> {}
      }
    }
    return estimates;
  }

  private LiveRun run(Map<String, String> environment) {
    return run(3, environment);
  }

  private LiveRun run(int number, Map<String, String> environment) {
    Settings settings = Settings.read(environment::get);
    return new LiveRun(number, "a run", settings, clock);
  }

  @ParameterizedTest(name = "{0} s each")
  @ValueSource(doubles = {0, 0.0001, 0.0049, 0.0051})
  void stepsCountAtOnceHoweverQuickTheyAre(double seconds) {
    run.plan(2, 1000);
    steps(1000, seconds);
    assertThat(run.snapshot().own()).extracting(Metric::toString).contains("current_step=1000");
    steps(500, seconds);
    assertThat(run.snapshot().percent()).isEqualTo(75);
    steps(500, seconds);
    assertThat(run.isPlanDone()).isTrue();
    steps(1, seconds);
    assertThat(run.over()).isTrue();
    assertThat(run.snapshot().own()).extracting(Metric::toString).contains("current_step=2001");
  }

  @Test
  void anEvaluationHasNoPartInTheQuickStepsAroundIt() {
    run.plan(2, 40_000);
    steps(40_000, 1e-4);
    run.evaluating();
    clock.advanceSeconds(60);
    run.epochEnded(1);
    steps(20_000, 1e-4);

    assertThat(run.snapshot().remainingSeconds()).as("half an epoch, an evaluation").isEqualTo(62);
  }

  @Test
  void aQuickStepBeginsTheQuietAnew() {
    run.presumeEnd(seconds(60), true, true);
    steps(10, 1e-4);
    clock.advanceSeconds(59.9);
    assertThat(run.endIfQuiet()).isFalse();
    steps(1, 1e-4);
    steps(1, 1e-4);
    clock.advanceSeconds(59.99995);
    assertThat(run.endIfQuiet()).isFalse();
    clock.advanceSeconds(1e-4);
    assertThat(run.endIfQuiet()).isTrue();
  }

  /** As in a loop of batches, each of which may be the last. */
  @Test
  void alsoWhereAPlanIsAskedForAfterEachQuickStepMoreCanBeToldNowAndThen() {
    int times = 0;
    for (int i = 0; i < 100; i++) {
      clock.advanceSeconds(1e-3);
      times += run.step() ? 1 : 0;
      assertThat(run.isPlanDone()).isFalse();
    }
    assertThat(times).isEqualTo(20);
  }

  private void steps(int count, double seconds) {
    for (int i = 0; i < count; i++) {
      clock.advanceSeconds(seconds);
      run.step();
    }
  }

  private static long seconds(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  private static List<String> names(List<Metric> metrics) {
    return metrics.stream().map(Metric::name).toList();
  }

  private static Arguments state(String what, Consumer<LiveRun> told, RunState expected) {
    return Arguments.of(what, told, expected);
  }
}
