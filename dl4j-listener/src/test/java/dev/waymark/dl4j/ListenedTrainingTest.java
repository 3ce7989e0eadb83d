package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the runs begin and go on that a listener registered by hand hears of. */
class ListenedTrainingTest {
  private static final int BATCHES = 3;
  private static final int EPOCHS = 8;

  private static ReceivedReports reports;

  private final ListenedTraining first = new ListenedTraining(0, 0);
  private final ListenedTraining second = new ListenedTraining(EPOCHS, BATCHES);

  /** The second model's counters. */
  private Counters at = Counters.ZERO;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @ParameterizedTest(name = "{0} epochs unheard, {1} iterations and {2} epochs before")
  @CsvSource({"1, 0, 0", "2, 0, 0", "1, 6, 2", "2, 7, 2"})
  void epochsThatNobodyHeardOfCountOnceTheModelIsReported(int unheard, int iterations, int epochs) {
    at = new Counters(iterations, epochs);
    first.epochBegan(Counters.ZERO);
    first.step(1.0, Counters.ZERO);
    for (int i = 0; i < unheard; i++) {
      epoch();
    }
    endFirst();
    epoch();

    Status end = endByAnother();
    assertThat(end.number("current_epoch")).isEqualTo(epochs + unheard + 1);
    assertThat(end.number("current_step")).isEqualTo(iterations + (unheard + 1) * BATCHES);
    assertThat(end.percent()).isEqualTo(100 * (epochs + unheard + 1) / EPOCHS);
  }

  @ParameterizedTest(name = "{0} iterations and {1} epochs before")
  @CsvSource({
    "0, 0, 4", //
    "6, 2, 10",
    // Trained by batches before: which part of an epoch these were can't be known.
    "9, 0, 4",
  })
  void anEpochThatIsUnderWayThenIsReportedFromThereOn(int iterations, int epochs, int steps) {
    at = new Counters(iterations, epochs);
    first.epochBegan(Counters.ZERO);
    first.step(1.0, Counters.ZERO);
    second.epochBegan(at);
    step();
    step();
    endFirst();
    step();
    endEpoch();
    second.epochBegan(at);
    step();

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("stopped_early");
    assertThat(end.number("current_epoch")).isEqualTo(epochs + 1.33);
    assertThat(end.number("current_step")).isEqualTo(steps);
  }

  @Test
  void afterARunThatWasReportedTheNextBeginsAnewAlsoIfItIsKeptFromItsTurn() {
    for (int i = 0; i < EPOCHS; i++) {
      epoch();
    }
    first.epochBegan(Counters.ZERO); // ends what is done
    assertThat(reports.lastWord().number("current_epoch")).isEqualTo(EPOCHS);
    first.step(1.0, Counters.ZERO);
    epoch();
    endFirst();
    epoch();

    Status end = endByAnother();
    assertThat(end.number("current_epoch")).isEqualTo(2);
    assertThat(end.number("current_step")).isEqualTo(2 * BATCHES);
  }

  @Test
  void anEpochThatWasBrokenOffIsTheEndOfItsRunOnceTheNextBegins() {
    epoch();
    second.epochBegan(at);
    step();
    epoch();

    Status broken = reports.lastWord();
    assertThat(broken.state()).isEqualTo("stopped_early");
    assertThat(broken.number("current_epoch")).isEqualTo(1.33);
    Status end = endByAnother();
    assertThat(end.number("current_epoch")).isEqualTo(1);
    assertThat(end.number("current_step")).isEqualTo(BATCHES);
    assertThat(end.number("total_steps")).isEqualTo(EPOCHS * BATCHES);
  }

  @Test
  void ofTrainingsInTurnThatWereMadeFirstTheSecondIsReportedAfterTwoEpochs() {
    first.epochBegan(Counters.ZERO);
    first.step(1.0, Counters.ZERO);
    first.epochEnded();
    epoch();
    epoch();
    assertThat(reports.lastWord().state()).isEqualTo("completed");
    epoch();

    Status end = endByAnother();
    assertThat(end.number("current_epoch")).isEqualTo(3);
    assertThat(end.number("current_step")).isEqualTo(3 * BATCHES);
  }

  @Test
  void eachThreadThatMakesStepsIsWatchedForWhatIsThrownThere() throws Exception {
    second.epochBegan(at);
    step();
    dieOfWhatIsThrown(this::step);

    assertThat(reports.lastWord().state()).isEqualTo("failed");
  }

  @Test
  void aThreadIsWatchedAgainInTheNextEpochIfItsHandlerWasReplaced() throws Exception {
    dieOfWhatIsThrown(
        () -> {
          second.epochBegan(at);
          step();
          Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {});
          endEpoch();
          second.epochBegan(at);
          step();
        });

    assertThat(reports.lastWord().state()).isEqualTo("failed");
  }

  private static void dieOfWhatIsThrown(Runnable before) throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              before.run();
              throw new IllegalStateException("the program's own");
            });
    thread.setUncaughtExceptionHandler((dead, thrown) -> {});
    thread.start();
    thread.join();
  }

  private void epoch() {
    second.epochBegan(at);
    for (int i = 0; i < BATCHES; i++) {
      step();
    }
    endEpoch();
  }

  private void step() {
    second.step(2.0, at);
    at = at.plus(1, 0);
  }

  private void endEpoch() {
    second.epochEnded();
    at = at.plus(0, 1);
  }

  private void endFirst() {
    first.epochEnded();
    assertThat(endByAnother().state()).isEqualTo("completed");
  }

  /** The last word of the run that is over now, as another model is trained. */
  private static Status endByAnother() {
    AnotherModel.trains();
    return reports.lastWord();
  }
}
