package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import dev.waymark.reporter.RunOnAClock;
import java.lang.reflect.Field;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.converter.ConvertWith;
import org.junit.jupiter.params.converter.SimpleArgumentConverter;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which loss a report has, by what the listeners keep and what goes into backward. */
class TrainerReadingsTest {
  private static final Duration UNTIL_THE_NEXT_SAMPLE = Duration.ofSeconds(5);

  private final KeptLoss kept = new KeptLoss();
  private final Trainer trainer = TrainerDouble.of("has a loss", kept);
  private final RunOnAClock run = new RunOnAClock();
  private final TrainerReadings readings = new TrainerReadings(run.run(), 0, null);

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "0.5 0.25, 0.25",
    "0.5 NaN,",
    "0.5 NaN NaN,",
    "NaN NaN,",
    "0.5 Infinity,",
    "0.5 NaN 0.75, 0.75",
    "NaN 0.75, 0.75",
  })
  void keptLossIsReportedWhileItIsANumber(
      @ConvertWith(Numbers.class) float[] losses, String reported) {
    for (float loss : losses) {
      kept.value = loss;
      readings.batch(trainer, TrainerDouble.measuredBatch());
    }

    assertThat(run.metric("loss")).isEqualTo(reported);
  }

  @Test
  void batchThatNobodyHasMeasuredLeavesTheLossAsItWas() {
    kept.value = 0.5f;
    readings.batch(trainer, TrainerDouble.measuredBatch());
    kept.value = Float.NaN;
    readings.batch(trainer, TrainerDouble.batch(32, 32));

    assertThat(run.metric("loss")).isEqualTo("0.5");
  }

  @Test
  void lossThatCannotBeReadCostsNoStep() {
    kept.failure = new IllegalStateException("nothing is measured yet");
    for (int step = 0; step < 3; step++) {
      readings.batch(trainer, TrainerDouble.measuredBatch());
      readings.update(trainer);
    }

    assertThat(run.metric("current_step")).isEqualTo("3");
    assertThat(run.metric("loss")).isNull();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "0.5, 0.5",
    "0.5 NaN,",
    "0.5 NaN 0.75, 0.75",
    "0.5 Infinity,",
  })
  void sampledLossIsReportedWhileItIsANumber(
      @ConvertWith(Numbers.class) float[] losses, String reported) {
    for (float loss : losses) {
      step(loss);
      run.pass(UNTIL_THE_NEXT_SAMPLE);
    }

    assertThat(run.metric("loss")).isEqualTo(reported);
  }

  @Test
  void aLossThatIsNotSampledLeavesTheOneBeforeIt() {
    step(0.5f);
    step(0.75f);

    assertThat(run.metric("loss")).isEqualTo("0.5");
    assertThat(run.metric("current_step")).isEqualTo("2");
  }

  @ParameterizedTest(name = "an epoch ends: {0}")
  @ValueSource(booleans = {true, false})
  void rateIsThatOfTheNewestUpdateOnceAnEpochOrTheTrainingEnds(boolean epoch) throws Exception {
    Tracker schedule =
        Tracker.multiFactor().setBaseValue(1).setSteps(new int[] {2, 4}).optFactor(0.5f).build();
    Optimizer optimizer = Optimizer.adam().optLearningRateTracker(schedule).build();
    TrainerReadings scheduled = new TrainerReadings(run.run(), 0, LearningRate.of(optimizer));
    for (int updates = 1; updates <= 5; updates++) {
      setUpdates(optimizer, updates);
      scheduled.update(trainer);
    }
    if (epoch) {
      scheduled.epoch(trainer);
    } else {
      scheduled.pauses();
    }

    assertThat(run.metric("learning_rate")).isEqualTo("0.25");
  }

  /** As the optimizer itself does, which only its engine can make work. */
  private static void setUpdates(Optimizer optimizer, int updates) throws Exception {
    Field field = Optimizer.class.getDeclaredField("numUpdate");
    field.setAccessible(true);
    field.set(optimizer, updates);
  }

  /** Trains with this loss, which nobody keeps. */
  private void step(float loss) {
    readings.backward(TrainerDouble.scalar(loss));
    readings.update(trainer);
  }

  /** A loss of which DJL's listeners keep whatever the test says. */
  private static final class KeptLoss extends Loss {
    float value;
    RuntimeException failure;

    KeptLoss() {
      super("kept");
    }

    @Override
    public NDArray evaluate(NDList labels, NDList predictions) {
      throw new UnsupportedOperationException();
    }

    @Override
    public float getAccumulator(String key) {
      if (failure != null) {
        throw failure;
      }
      return value;
    }
  }

  /** Numbers with spaces between them. */
  private static final class Numbers extends SimpleArgumentConverter {
    @Override
    protected Object convert(Object source, Class<?> targetType) {
      String[] words = ((String) source).split(" ");
      float[] numbers = new float[words.length];
      for (int i = 0; i < words.length; i++) {
        numbers[i] = Float.parseFloat(words[i]);
      }
      return numbers;
    }
  }
}
