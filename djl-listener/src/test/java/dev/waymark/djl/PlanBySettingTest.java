package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.training.Trainer;
import dev.waymark.reporter.RunOnAClock;
import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How trainings end where {@code WAYMARK_EPOCHS} tells how long they are. */
class PlanBySettingTest {
  private static final Duration A_MOMENT = Duration.ofMillis(200);

  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    System.setProperty("waymark.epochs", "10");
    reports = ReceivedReports.inThisJvm();
  }

  @BeforeEach
  void agentMayAttach() {
    System.clearProperty("dev.waymark.reporter.byhand"); // as in a JVM that hasn't reported by hand
  }

  @AfterAll
  static void forget() {
    System.clearProperty("waymark.epochs");
  }

  @ParameterizedTest(name = "{0} fits of one epoch: {1}")
  @CsvSource({"4, stopped_early, 40", "9, stopped_early, 90", "10, completed, 100"})
  void fitsOfOneEpochWhenTheTrainerIsClosed(int fits, String state, int percent) {
    HookedTrainer trainer = fitted(fits);
    trainer.close();

    assertEnd(state, percent);
  }

  @ParameterizedTest(name = "{0} fits of one epoch: {1}")
  @CsvSource({"4, stopped_early, 40", "10, completed, 100"})
  void fitsOfOneEpochWhenAnotherTrainerStarts(int fits, String state, int percent) {
    fitted(fits);
    failed(new HookedTrainer("next"));

    assertEnd(state, percent);
    reports.lastWord();
  }

  @ParameterizedTest(name = "{0} fits of one epoch: {1}")
  @CsvSource({"4, stopped_early, 40", "10, completed, 100"})
  void fitsOfOneEpochWhenALongerFitFollows(int fits, String state, int percent) {
    failed(fitted(fits));

    assertEnd(state, percent);
    reports.lastWord();
  }

  @ParameterizedTest(name = "fit of {0} epochs: {1}")
  @CsvSource({"5, stopped_early, 50", "9, stopped_early, 90", "10, completed, 100"})
  void fitWhenTheTrainerIsClosed(int epochs, String state, int percent) {
    HookedTrainer trainer = new HookedTrainer("all at once");
    trainer.fit(epochs);
    trainer.close();

    assertEnd(state, percent);
  }

  @ParameterizedTest(name = "fit of {0} epochs: {1}")
  @CsvSource({"5, stopped_early, 50", "10, completed, 100"})
  void fitWhenAnotherTrainerStarts(int epochs, String state, int percent) {
    new HookedTrainer("all at once").fit(epochs);
    failed(new HookedTrainer("next"));

    assertEnd(state, percent);
    reports.lastWord();
  }

  @ParameterizedTest(name = "fit of {0} epochs: {1}")
  @CsvSource({"5, stopped_early, 50", "10, completed, 100"})
  void fitAfterAWhile(int epochs, String state, int percent) {
    new HookedTrainer("never closed", A_MOMENT).fit(epochs);

    assertEnd(state, percent);
  }

  @ParameterizedTest(name = "loop of {0} epochs: {1}")
  @CsvSource({"1, stopped_early,", "2, stopped_early, 20", "10, completed, 100"})
  void loopWhenAnotherTrainerStarts(int epochs, String state, Integer percent) {
    HookedTrainer trainer = new HookedTrainer("by hand");
    trainer.loop(epochs);
    failed(new HookedTrainer("next"));

    assertEnd(state, percent);
    reports.lastWord();
  }

  @ParameterizedTest(name = "loop of {0} epochs: {1}")
  @CsvSource({"4, stopped_early, 40", "10, completed, 100"})
  void loopThatEvaluatesInMidEpoch(int epochs, String state, int percent) {
    new HookedTrainer("by hand").loopWithEvaluations(epochs);
    failed(new HookedTrainer("next"));

    assertEnd(state, percent);
    reports.lastWord();
  }

  @ParameterizedTest(name = "loop of {0} epochs: {1}")
  @CsvSource({"1, stopped_early,", "4, stopped_early, 40", "10, completed, 100"})
  void loopAWhileAfterItsTrainerIsClosed(int epochs, String state, Integer percent) {
    RunOnAClock run = new RunOnAClock(Map.of("WAYMARK_EPOCHS", "10"));
    HookedTrainer trainer = new HookedTrainer("by hand", run);
    trainer.loop(epochs);
    trainer.close();

    assertThat(run.state()).isEqualTo("running");
    run.pass(Duration.ofSeconds(61));
    assertThat(run.state()).isEqualTo(state);
    assertThat(run.percent()).isEqualTo(percent);
  }

  @Test
  void fitsOfOneEpochAreNotPresumedToBeAll() {
    RunOnAClock run = new RunOnAClock(Map.of("WAYMARK_EPOCHS", "10"));
    HookedTrainer trainer = new HookedTrainer("epoch by epoch", run);
    trainer.fit(1);
    trainer.validate();
    run.pass(Duration.ofHours(1));
    assertThat(run.state()).isEqualTo("evaluating");
    trainer.fit(1);
    assertThat(run.state()).isEqualTo("running");
    trainer.close();

    assertThat(run.state()).isEqualTo("stopped_early");
    assertThat(run.percent()).isEqualTo(20);
  }

  @ParameterizedTest(name = "{0} epochs: {1}")
  @CsvSource({"4, stopped_early, 40", "10, completed, 100"})
  void listenerThatWasToldNoPlan(int epochs, String state, int percent) {
    listenTo(ProgressTrainingListener.create(), epochs);

    assertEnd(state, percent);
  }

  @ParameterizedTest(name = "{0} epochs: {1}")
  @CsvSource({"4, stopped_early, 40", "10, completed, 100"})
  void settingWinsOverWhatTheListenerWasTold(int epochs, String state, int percent) {
    listenTo(ProgressTrainingListener.builder().optTotalEpochs(4).build(), epochs);

    assertEnd(state, percent);
  }

  private static HookedTrainer fitted(int fits) {
    HookedTrainer trainer = new HookedTrainer("epoch by epoch");
    for (int fit = 0; fit < fits; fit++) {
      trainer.fit(1);
    }
    return trainer;
  }

  private static void failed(HookedTrainer trainer) {
    trainer.progress.fitBegan(trainer.trainer, 2);
    trainer.progress.fitEnded(new IllegalStateException("only to end the run"));
  }

  static void listenTo(ProgressTrainingListener listener, int epochs) {
    Trainer trainer = TrainerDouble.of("listened to", listener);
    for (int epoch = 0; epoch < epochs; epoch++) {
      listener.onTrainingBatch(trainer, TrainerDouble.batch(32, 32));
      listener.onEpoch(trainer);
    }
    listener.onTrainingEnd(trainer);
  }

  private static void assertEnd(String state, Integer percent) {
    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo(state);
    assertThat(end.percent()).isEqualTo(percent);
  }
}
