package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LearningRateTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource("optimizers")
  void ofEachOptimizer(String name, Optimizer optimizer, double expected) {
    assertThat(LearningRate.of(optimizer).now()).isEqualTo(expected, within(1e-6));
  }

  static Stream<Arguments> optimizers() {
    Tracker rate = Tracker.fixed(0.25f);
    return Stream.of(
        Arguments.of("Adam", Optimizer.adam().optLearningRateTracker(rate).build(), 0.25),
        Arguments.of("AdamW", Optimizer.adamW().optLearningRateTracker(rate).build(), 0.25),
        Arguments.of("Sgd", Optimizer.sgd().setLearningRateTracker(rate).build(), 0.25),
        Arguments.of(
            "Nag", Optimizer.nag().setLearningRateTracker(rate).setMomentum(0.9f).build(), 0.25),
        Arguments.of("RmsProp", Optimizer.rmsprop().optLearningRateTracker(rate).build(), 0.25),
        Arguments.of("Adagrad", Optimizer.adagrad().optLearningRateTracker(rate).build(), 0.25),
        Arguments.of("Adadelta has none", Optimizer.adadelta().build(), Double.NaN),
        Arguments.of("none", null, Double.NaN));
  }

  @ParameterizedTest(name = "after {0} updates {1}")
  @CsvSource({"0, 1", "1, 1", "2, 0.5", "4, 0.25"})
  void followsTheSchedule(int updatesBefore, double expected) {
    Tracker schedule =
        Tracker.multiFactor().setBaseValue(1).setSteps(new int[] {2, 4}).optFactor(0.5f).build();
    LearningRate rate =
        LearningRate.of(
            Optimizer.adam()
                .optLearningRateTracker(schedule)
                .optBeginNumUpdate(updatesBefore)
                .build());

    assertThat(rate.now()).isEqualTo(expected);
    assertThat(rate.now()).as("asking changes nothing").isEqualTo(expected);
  }

  @Test
  void asksNoTrackerOfTheUser() {
    AtomicInteger asked = new AtomicInteger();
    Tracker own =
        updates -> {
          asked.incrementAndGet();
          return 0.1f;
        };
    Tracker wrapped = Tracker.warmUp().setMainTracker(own).optWarmUpSteps(10).build();
    int askedBefore = asked.get(); // DJL's own warm-up asks once

    assertThat(rateOf(own)).isNaN();
    assertThat(rateOf(wrapped)).isNaN();
    assertThat(asked).hasValue(askedBefore);
  }

  @Test
  void findsTheOptimizerOfATrainer() {
    Optimizer optimizer = Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.25f)).build();

    assertThat(LearningRate.of(TrainerDouble.of("any", optimizer)).now()).isEqualTo(0.25);
  }

  private static double rateOf(Tracker tracker) {
    return LearningRate.of(Optimizer.adam().optLearningRateTracker(tracker).build()).now();
  }
}
