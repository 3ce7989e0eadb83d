package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.learning.config.AMSGrad;
import org.nd4j.linalg.learning.config.AdaBelief;
import org.nd4j.linalg.learning.config.AdaDelta;
import org.nd4j.linalg.learning.config.AdaGrad;
import org.nd4j.linalg.learning.config.AdaMax;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nadam;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.NoOp;
import org.nd4j.linalg.learning.config.RmsProp;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.schedule.ISchedule;
import org.nd4j.linalg.schedule.MapSchedule;
import org.nd4j.linalg.schedule.RampSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

class UpdaterRateTest {
  private static final int ITERATION = 7;
  private static final int EPOCH = 2;

  private static final ISchedule BY_EPOCH =
      new MapSchedule(ScheduleType.EPOCH, Map.of(0, 0.5, EPOCH, 0.25));

  static Stream<Arguments> rates() {
    return Stream.of(
        Arguments.of("fixed", new Sgd(0.125), 0.125),
        Arguments.of("by a schedule", new Sgd(BY_EPOCH), 0.25),
        Arguments.of("by a ramp", new Sgd(new RampSchedule(BY_EPOCH, 16)), 0.125),
        Arguments.of("none", new AdaDelta(), Double.NaN),
        Arguments.of("nothing trained", new NoOp(), Double.NaN),
        Arguments.of("no updater", null, Double.NaN));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rates")
  void theRateIsThatOfTheIterationAndEpoch(String how, IUpdater updater, double rate) {
    assertThat(UpdaterRate.of(updater, ITERATION, EPOCH)).isEqualTo((Double) rate);
  }

  /** All of ND4J's that have a rate. */
  static Stream<IUpdater> updaters() {
    return Stream.of(
        new Sgd(),
        new Adam(),
        new AdaMax(),
        new AdaGrad(),
        new AdaBelief(),
        new AMSGrad(),
        new Nadam(),
        new Nesterovs(),
        new RmsProp());
  }

  @ParameterizedTest
  @MethodSource("updaters")
  void ofTheProgramsOwnScheduleNothingIsAsked(IUpdater updater) {
    updater.setLrAndSchedule(Double.NaN, new OwnSchedule());
    assertThat(UpdaterRate.of(updater, ITERATION, EPOCH)).isNaN();

    updater.setLrAndSchedule(Double.NaN, new RampSchedule(new OwnSchedule(), 16));
    assertThat(UpdaterRate.of(updater, ITERATION, EPOCH)).isNaN();

    updater.setLrAndSchedule(Double.NaN, BY_EPOCH);
    assertThat(UpdaterRate.of(updater, ITERATION, EPOCH)).isEqualTo(0.25);
  }

  @Test
  void norIsTheProgramsOwnUpdater() {
    assertThat(UpdaterRate.of(new OwnUpdater(), ITERATION, EPOCH)).isNaN();
    assertThat(UpdaterRate.mayHaveOne(new OwnUpdater())).isTrue();
  }

  @Test
  void whatIsNotKnownIsARateAllTheSame() {
    assertThat(UpdaterRate.mayHaveOne(new Sgd(new OwnSchedule()))).isTrue();
    assertThat(UpdaterRate.mayHaveOne(new Sgd(0.125))).isTrue();
    assertThat(UpdaterRate.mayHaveOne(new AdaDelta())).isFalse();
    assertThat(UpdaterRate.mayHaveOne(null)).isFalse();
  }

  private static final class OwnSchedule implements ISchedule {
    private static final long serialVersionUID = 1L;

    @Override
    public double valueAt(int iteration, int epoch) {
      throw new AssertionError("asked");
    }

    @Override
    public ISchedule clone() {
      return this;
    }
  }

  private static final class OwnUpdater extends Sgd {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean hasLearningRate() {
      throw new AssertionError("asked");
    }

    @Override
    public double getLearningRate(int iteration, int epoch) {
      throw new AssertionError("asked");
    }
  }
}
