package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How runs begin and end by the events that DJL 0.36 gives to a listener. */
class ProgressTrainingListenerTest {
  private static final int BATCHES = 3;

  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @ParameterizedTest(name = "{0} epochs planned, {1} done and {2} batches more: {3}")
  @CsvSource({
    "2, 2, 0, completed, 100",
    "4, 2, 0, stopped_early, 50", // an early stop that other listeners were told of after this one
    "4, 2, 1, stopped_early, 58", // an exception, or an early stop that this one was not told of
    "0, 2, 0, completed, 100",
    "0, 2, 1, stopped_early,",
  })
  void trainersEndTellsTheRuns(int planned, int done, int more, String state, Integer percent) {
    ProgressTrainingListener listener =
        planned == 0
            ? ProgressTrainingListener.create()
            : ProgressTrainingListener.builder().optTotalEpochs(planned).build();
    Trainer trainer = TrainerDouble.of("by hand", listener);
    train(listener, trainer, done);
    for (int batch = 0; batch < more; batch++) {
      listener.onTrainingBatch(trainer, TrainerDouble.batch(32, BATCHES * 32));
    }
    listener.onTrainingEnd(trainer);

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo(state);
    assertThat(end.percent()).isEqualTo(percent);
    assertThat(end.number("current_step")).isEqualTo(done * BATCHES + more);
  }

  @Test
  void resumedTrainingCountsOn() {
    ProgressTrainingListener listener =
        ProgressTrainingListener.builder().optTotalEpochs(10).optStartEpoch(6).build();
    Trainer trainer = TrainerDouble.of("resumed", listener);
    train(listener, trainer, 2);
    listener.onTrainingEnd(trainer);

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("stopped_early");
    assertThat(end.percent()).isEqualTo(80);
    assertThat(end.number("current_epoch")).isEqualTo(8);
    assertThat(end.number("current_step")).isEqualTo(8 * BATCHES);
    assertThat(end.number("total_steps")).isEqualTo(10 * BATCHES);
  }

  @Test
  void resumedTrainingIsCompleted() {
    ProgressTrainingListener listener =
        ProgressTrainingListener.builder().optTotalEpochs(10).optStartEpoch(6).build();
    Trainer trainer = TrainerDouble.of("resumed", listener);
    train(listener, trainer, 4);
    listener.onTrainingEnd(trainer);

    assertThat(reports.lastWord().state()).isEqualTo("completed");
  }

  @Test
  void resumedTrainingThatWasKeptFromItsTurnCountsOnToo() {
    ProgressTrainingListener listener =
        ProgressTrainingListener.builder().optTotalEpochs(10).optStartEpoch(6).build();
    ProgressTrainingListener others = ProgressTrainingListener.create();
    Trainer other = TrainerDouble.of("the first of two at once", others);
    Trainer resumed = TrainerDouble.of("resumed", listener);
    train(others, other, 1);
    train(listener, resumed, 1); // which nobody hears of
    others.onTrainingEnd(other);
    train(listener, resumed, 2);
    listener.onTrainingEnd(resumed);

    Status end = reports.lastWords(2).get(1);
    assertThat(end.number("current_epoch")).isEqualTo(9);
    assertThat(end.number("current_step")).isEqualTo(9 * BATCHES);
    assertThat(end.percent()).isEqualTo(90);
    assertThat(end.state()).isEqualTo("stopped_early");
  }

  @Test
  void nextTrainingOfAResumedTrainerStartsAnew() {
    ProgressTrainingListener listener =
        ProgressTrainingListener.builder().optTotalEpochs(10).optStartEpoch(6).build();
    Trainer trainer = TrainerDouble.of("resumed", listener);
    train(listener, trainer, 4);
    ProgressTrainingListener others = ProgressTrainingListener.create();
    Trainer other = TrainerDouble.of("in between", others);
    train(others, other, 1); // by which the one before is over
    others.onTrainingEnd(other);
    train(listener, trainer, 3);
    listener.onTrainingEnd(trainer);

    assertThat(reports.lastWords(3))
        .extracting(end -> end.number("current_epoch"))
        .containsExactly(10.0, 1.0, 3.0);
  }

  @Test
  void oneListenerServesTrainersInTurn() {
    ProgressTrainingListener listener =
        ProgressTrainingListener.builder().optTotalEpochs(2).build();
    for (int fold = 0; fold < 3; fold++) {
      train(listener, TrainerDouble.of("fold", listener), 2); // and nobody closes it
    }
    Trainer last = TrainerDouble.of("last", listener);
    train(listener, last, 1);
    listener.onTrainingEnd(last);

    assertThat(reports.lastWords(4))
        .extracting(Status::state)
        .containsExactly("completed", "completed", "completed", "stopped_early");
  }

  @Test
  void secondOfTwoAtOnceIsNotReported() {
    ProgressTrainingListener listener = ProgressTrainingListener.create();
    Trainer generator = TrainerDouble.of("generator", listener);
    Trainer discriminator = TrainerDouble.of("discriminator", listener);
    for (int epoch = 0; epoch < 3; epoch++) {
      train(listener, generator, 1);
      train(listener, discriminator, 1);
    }
    listener.onTrainingEnd(generator);
    listener.onTrainingEnd(discriminator);
    Trainer next = TrainerDouble.of("next", listener);
    train(listener, next, 1);
    listener.onTrainingEnd(next);

    List<Status> ends = reports.lastWords(2);
    assertThat(ends.get(0).number("current_epoch")).isEqualTo(3);
    assertThat(ends.get(1).number("current_epoch")).isEqualTo(1);
  }

  @Test
  void trainerThatIsNotReportedIsNotRead() {
    ProgressTrainingListener listener = ProgressTrainingListener.create();
    CountingLoss loss = new CountingLoss();
    Trainer discriminator = TrainerDouble.of("discriminator", loss);
    listener.onTrainingBegin(discriminator);
    Trainer generator = TrainerDouble.of("generator", listener);
    train(listener, generator, 1);
    train(listener, discriminator, 2);
    listener.onTrainingEnd(discriminator);
    listener.onTrainingEnd(generator);

    assertThat(reports.lastWord().number("current_step")).isEqualTo(BATCHES);
    assertThat(loss.asked).isZero();
  }

  @Test
  void trainerThatOnlyEvaluatesIsNoRun() {
    ProgressTrainingListener listener = ProgressTrainingListener.create();
    Trainer evaluation = TrainerDouble.of("evaluation", listener);
    listener.onValidationBatch(evaluation, TrainerDouble.batch(32, 32));
    listener.onTrainingEnd(evaluation);
    Trainer training = TrainerDouble.of("training", listener);
    train(listener, training, 1);
    listener.onTrainingEnd(training);

    assertThat(reports.lastWord().number("current_step")).isEqualTo(BATCHES);
  }

  @ParameterizedTest(name = "{0} records in all: {1} steps")
  @CsvSource({"96, 3", "0,", "-1,"}) // a RawDataset may say 0 or -1
  void stepsOfTheFirstEpoch(long records, Double steps) {
    ProgressTrainingListener listener =
        ProgressTrainingListener.builder().optTotalEpochs(1).build();
    Trainer trainer = TrainerDouble.of("first epoch", listener);
    listener.onTrainingBatch(trainer, TrainerDouble.batch(32, records));
    listener.onTrainingEnd(trainer);

    Status end = reports.lastWord();
    assertThat(end.metric("total_steps") == null ? null : end.number("total_steps"))
        .isEqualTo(steps);
  }

  @Test
  void nothingIsEverThrown() {
    ProgressTrainingListener listener = ProgressTrainingListener.create();

    assertThatCode(
            () -> {
              listener.onTrainingBegin(null);
              listener.onTrainingBatch(null, null);
              listener.onValidationBatch(null, null);
              listener.onEpoch(null);
              listener.onTrainingEnd(null);
            })
        .doesNotThrowAnyException();
    assertThat(reports.lastWord().state()).isEqualTo("stopped_early");
  }

  @Test
  void refusesNumbersThatMakeNoSense() {
    ProgressTrainingListener.Builder builder = ProgressTrainingListener.builder();

    assertThatThrownBy(() -> builder.optTotalEpochs(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("totalEpochs must be 1 or more, got 0");
    assertThatThrownBy(() -> builder.optStartEpoch(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("startEpoch must be 0 or more, got -1");
  }

  private static void train(ProgressTrainingListener listener, Trainer trainer, int epochs) {
    for (int epoch = 0; epoch < epochs; epoch++) {
      for (int batch = 0; batch < BATCHES; batch++) {
        listener.onTrainingBatch(trainer, TrainerDouble.batch(32, BATCHES * 32));
      }
      listener.onEpoch(trainer);
    }
  }

  /** A loss that knows how often a listener has asked for it. */
  private static final class CountingLoss extends Loss {
    int asked;

    CountingLoss() {
      super("counting");
    }

    @Override
    public NDArray evaluate(NDList labels, NDList predictions) {
      throw new UnsupportedOperationException();
    }

    @Override
    public float getAccumulator(String key) {
      asked++;
      return 0.5f;
    }
  }
}
