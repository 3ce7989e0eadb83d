package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RemainingTimeEstimatorTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = Long.MAX_VALUE - 3 * SECOND; // nanoTime may overflow

  private long now = START;
  private final RemainingTimeEstimator estimator = new RemainingTimeEstimator(START);

  static List<EtaTrace> traces() {
    return EtaTrace.all().toList();
  }

  @ParameterizedTest
  @MethodSource("traces")
  void saysWhatTheReferenceSaysAtEachStepEnd(EtaTrace trace) {
    List<Double> estimates = estimates(trace);

    assertThat(estimates).hasSameSizeAs(trace.reference());
    for (int i = 0; i < estimates.size(); i++) {
      assertThat(estimates.get(i))
          .as("at step end %s", i + 1)
          .isCloseTo(trace.reference().get(i), within(0.01));
    }
  }

  @ParameterizedTest
  @MethodSource("traces")
  void staysWithinTheErrorAccepted(EtaTrace trace) {
    assertThat(trace.meanErrorPercent(estimates(trace))).isLessThanOrEqualTo(trace.mostError());
  }

  @Test
  void errsAtMostAThirdAsMuchAsHuggingFacesFormula() {
    double ours =
        EtaTrace.all().mapToDouble(t -> t.meanErrorPercent(estimates(t))).average().orElseThrow();
    double theirs =
        EtaTrace.all().mapToDouble(EtaTrace::errorOfHuggingFace).average().orElseThrow();

    assertThat(theirs).isCloseTo(30.7, within(0.05));
    assertThat(ours).isLessThanOrEqualTo(theirs / 3);
  }

  /** As the traces tell it: pauses with an exact end. */
  private static List<Double> estimates(EtaTrace trace) {
    List<Double> estimates = new ArrayList<>();
    RemainingTimeEstimator estimator = new RemainingTimeEstimator(0);
    for (EtaTrace.Event event : trace.events()) {
      switch (event.what()) {
        case "step_end" -> {
          estimator.stepEnded(event.nanos());
          estimates.add(estimator.seconds(trace.totalSteps() - event.step()));
        }
        case "eval_begin" -> estimator.pauseBegan(event.nanos());
        case "eval_end" -> estimator.pauseEnded(event.nanos());
        default -> {}
      }
    }
    return estimates;
  }

  @Test
  void isSettledAfterThreeStepsAndTwoSeconds() {
    steps(2, 1.5);
    assertThat(estimator.isSettled(now)).as("two steps, 3 s").isFalse();
    steps(1, 1.5);
    assertThat(estimator.isSettled(now)).as("three steps, 4.5 s").isTrue();
  }

  @Test
  void isNotSettledByManyQuickSteps() {
    steps(19, 0.1);
    assertThat(estimator.isSettled(now)).isFalse();
    steps(1, 0.1);
    assertThat(estimator.isSettled(now)).isTrue();
  }

  @Test
  void saysNothingRemainsOfNoSteps() {
    assertThat(estimator.seconds(0)).isZero();
    assertThat(estimator.seconds(100)).isZero();
    steps(5, 1);
    assertThat(estimator.seconds(0)).isZero();
  }

  @Test
  void countsDownThroughTheStepUnderWayButNotThroughTheNext() {
    steps(10, 2);

    assertThat(estimator.secondsFromNow(5, now)).isEqualTo(10);
    assertThat(estimator.secondsFromNow(5, now + SECOND / 2)).isEqualTo(9.5);
    assertThat(estimator.secondsFromNow(5, now + 2 * SECOND)).isEqualTo(8);
    assertThat(estimator.secondsFromNow(5, now + 60 * SECOND)).isEqualTo(8);
    assertThat(estimator.secondsFromNow(0, now + 60 * SECOND)).isZero();
  }

  @Test
  void countsDownThroughAnAnnouncedPauseThatItForesaw() {
    steps(10, 1);
    pause(20);
    steps(10, 1);
    assertThat(estimator.seconds(20))
        .as("20 steps, pauses after 20 (now), 30 and 40")
        .isEqualTo(80);

    estimator.pauseBegan(now);

    assertThat(estimator.secondsFromNow(20, now + 5 * SECOND)).isEqualTo(75);
    assertThat(estimator.secondsFromNow(20, now + 70 * SECOND))
        .as("no pause uses up the time of the steps to come")
        .isEqualTo(20);
    now += 20 * SECOND;
    estimator.pauseEnded(now);
    assertThat(estimator.secondsFromNow(20, now)).isEqualTo(60);
    assertThat(estimator.secondsFromNow(20, now + SECOND / 2)).isEqualTo(59.5);
  }

  @ParameterizedTest(name = "a gap of {0} s in which {1} s were announced")
  @CsvSource({"21, 21", "30, 29.5", "1.2, 0.7"})
  void givesTheStepThatEndsAPauseTheUsualTimeAndThePauseTheRest(double gap, double announced) {
    steps(10, 1);
    estimator.pauseBegan(now + nanos(gap - announced));
    now += nanos(gap);
    estimator.stepEnded(now);

    double usual = Math.min(1, announced); // a pause can't have been shorter than nothing
    double level = (10 + gap - announced + usual) / 11;
    double pause = Math.max(0, announced - 1);
    assertThat(estimator.seconds(100)).isCloseTo(100 * level + 10 * pause, within(1e-6));
  }

  @Test
  void learnsNothingFromAPauseBeforeTheFirstStep() {
    estimator.pauseBegan(now);
    now += 30 * SECOND;
    estimator.stepEnded(now);
    assertThat(estimator.seconds(100)).isZero();
    steps(3, 1);
    assertThat(estimator.seconds(100)).isEqualTo(100);
  }

  @Test
  void leavesAPauseThatEndsBeforeTheFirstStepOut() {
    pause(30);
    steps(4, 1);
    assertThat(estimator.seconds(100)).isEqualTo(100);
  }

  @Test
  void takesTwoPausesAfterOneStepForOne() {
    steps(10, 1);
    pause(3);
    pause(4);
    assertThat(estimator.seconds(20)).isEqualTo(20 + 2 * 7);
  }

  @Test
  void anAnnouncementWithinAPauseGoesOnWithIt() {
    steps(10, 1);
    estimator.pauseBegan(now);
    estimator.pauseBegan(now + 5 * SECOND);
    now += 7 * SECOND;
    estimator.pauseEnded(now);
    estimator.pauseEnded(now + SECOND);
    assertThat(estimator.seconds(20)).isEqualTo(20 + 2 * 7);
  }

  @Test
  void remembersTheLastEightPauses() {
    for (int i = 1; i <= 12; i++) {
      steps(10, 1);
      pause(i);
    }
    assertThat(estimator.seconds(20)).isCloseTo(20 + 2 * 8.5, within(1e-9));
  }

  @Test
  void takesTwoBlocksOnOneSideForANewLevelAndOneForAnOddBlock() {
    steps(50, 1);
    steps(10, 2);
    assertThat(estimator.seconds(10)).as("the odd block waits").isEqualTo(10);
    steps(10, 2);
    assertThat(estimator.seconds(10)).as("a second one confirms it").isEqualTo(20);
    steps(10, 0.5);
    steps(10, 2);
    assertThat(estimator.seconds(10)).as("an odd block alone joins").isEqualTo(16.25);
  }

  @Test
  void doesNotTakeTwoOddBlocksOnOppositeSidesForALevel() {
    steps(50, 1);
    steps(10, 2);
    steps(10, 0.5);
    assertThat(estimator.seconds(60)).as("the first one joins, the second waits").isEqualTo(70);
  }

  /**
   * Quick steps on a busy machine: the pace is that of a free one or half of it, at random, for a
   * while each time. With blocks of ten steps for ever the errors are 31 %, 31 % and 9 %.
   */
  @ParameterizedTest(name = "steps of {0} s, each pace for {1} s")
  @CsvSource({"0.0009, 0.1, 5", "0.005, 0.5, 10", "0.05, 0.5, 8"})
  void isTheMeanOfAPaceThatWavers(double step, double window, double mostErrorPercent) {
    double error = 0;
    for (int seed = 0; seed < 10; seed++) {
      error += errorPercent(waveringStepEnds(new Random(seed), step, window, 120));
    }
    assertThat(error / 10).isLessThan(mostErrorPercent);
  }

  private static List<Double> waveringStepEnds(
      Random random, double step, double window, double end) {
    List<Double> stepEnds = new ArrayList<>();
    double now = 0;
    for (double change = window; now < end; change += window) {
      double seconds = random.nextBoolean() ? step : 2 * step;
      for (; now < change; now += seconds) {
        stepEnds.add(now + seconds);
      }
    }
    return stepEnds;
  }

  /** By the rule of the traces: after the first 5 % of the steps, until 5 s are left. */
  private static double errorPercent(List<Double> stepEnds) {
    RemainingTimeEstimator estimator = new RemainingTimeEstimator(0);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < stepEnds.size(); i++) {
      estimator.stepEnded(nanos(stepEnds.get(i)));
      double truth = stepEnds.get(stepEnds.size() - 1) - stepEnds.get(i);
      if (i >= stepEnds.size() / 20 && truth >= 5) {
        sum += Math.abs(estimator.seconds(stepEnds.size() - 1 - i) - truth) / truth;
        count++;
      }
    }
    return 100 * sum / count;
  }

  @Test
  void spreadsAStallOverTheSession() {
    steps(10, 1);
    now += 30 * SECOND;
    estimator.stepEnded(now);

    assertThat(estimator.seconds(89)).isCloseTo(89 * (1 + 29 / (11 + 0.25 * 100)), within(1e-9));
  }

  @ParameterizedTest(name = "{0} steps of {1} s, then one of {2} s: {3} s a step")
  @CsvSource({
    "10, 1,    10,   1.8181818",
    "10, 0.01, 1,    0.1",
    "3,  1,    30,   1.9666667",
    "2,  1,    30,   10.6666667"
  })
  void takesForAStallWhatIsTenTimesTheUsualAndMoreThanASecond(
      int steps, double usual, double odd, double expected) {
    steps(steps, usual);
    steps(1, odd);

    assertThat(estimator.seconds(100) / 100).isCloseTo(expected, within(1e-6));
  }

  @Test
  void survivesAClockThatStandsStill() {
    steps(100, 0);
    assertThat(estimator.seconds(100)).isZero();
    steps(40, 1);
    assertThat(estimator.seconds(100)).isEqualTo(100);
  }

  private void steps(int count, double seconds) {
    for (int i = 0; i < count; i++) {
      now += nanos(seconds);
      estimator.stepEnded(now);
    }
  }

  private void pause(double seconds) {
    estimator.pauseBegan(now);
    now += nanos(seconds);
    estimator.pauseEnded(now);
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }
}
