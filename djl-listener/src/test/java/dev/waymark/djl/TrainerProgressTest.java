package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ai.djl.TrainingDivergedException;
import ai.djl.training.listener.EarlyStoppingListener.EarlyStoppedException;
import dev.waymark.reporter.RunOnAClock;
import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How runs begin and end, told as the agent's hooks tell it. */
class TrainerProgressTest {
  private static final int BATCHES = 3;

  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @Test
  void fitIsCompletedWhenTheTrainerIsClosed() {
    HookedTrainer trainer = new HookedTrainer("closed");
    trainer.fit(2);
    trainer.close();

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.percent()).isEqualTo(100);
    assertThat(end.number("total_epochs")).isEqualTo(2);
    assertThat(end.number("current_epoch")).isEqualTo(2);
    assertThat(end.number("current_step")).isEqualTo(2 * BATCHES);
    assertThat(end.number("total_steps")).isEqualTo(2 * BATCHES);
  }

  @Test
  void fitIsCompletedAtTheNextFitOfTheSameTrainer() {
    HookedTrainer trainer = new HookedTrainer("twice");
    trainer.fit(2);
    trainer.fit(3);
    trainer.close();

    List<Status> ends = reports.lastWords(2);
    assertThat(ends).extracting(Status::state).containsExactly("completed", "completed");
    assertThat(ends)
        .extracting(end -> end.number("current_step"))
        .containsExactly(2.0 * BATCHES, 3.0 * BATCHES);
    assertThat(ends.get(1).number("run")).isEqualTo(ends.get(0).number("run") + 1);
  }

  @Test
  void fitIsCompletedAtTheFitOfAnotherTrainerThatWasThereBefore() {
    HookedTrainer first = new HookedTrainer("first");
    HookedTrainer second = new HookedTrainer("second");
    first.fit(2);
    second.fit(3);
    second.close();
    first.close();

    assertThat(reports.lastWords(2))
        .extracting(end -> end.number("total_epochs"))
        .containsExactly(2.0, 3.0);
  }

  @Test
  void fitIsCompletedAfterAWhile() {
    HookedTrainer trainer = new HookedTrainer("quiet", Duration.ofMillis(200));
    trainer.fit(2);

    assertThat(reports.lastWord().state()).isEqualTo("completed");
  }

  @Test
  void anEvaluationAfterFitDoesNotKeepTheRunAlive() {
    HookedTrainer trainer = new HookedTrainer("evaluates", Duration.ofMillis(200));
    trainer.fit(2);

    assertThat(reports.lastWordDuring(trainer::validate).state()).isEqualTo("completed");
  }

  @Test
  void fitsOfOneEpochAreOneRunOfUnknownLength() {
    HookedTrainer trainer = new HookedTrainer("epoch by epoch");
    trainer.fit(1);
    trainer.fit(1);
    trainer.fit(1);
    trainer.close();

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_epoch")).isEqualTo(3);
    assertThat(end.number("current_step")).isEqualTo(3 * BATCHES);
    assertThat(end.metric("total_epochs")).isNull();
  }

  @Test
  void fitsOfOneEpochAreOneRunHoweverLongItTakesBetweenThem() {
    RunOnAClock run = new RunOnAClock();
    HookedTrainer trainer = new HookedTrainer("saves its model", run);
    trainer.fit(1);
    run.pass(Duration.ofHours(1));
    assertThat(run.state()).isEqualTo("running");
    trainer.fit(1);
    trainer.close();

    assertThat(run.state()).isEqualTo("completed");
    assertThat(run.metric("current_step")).isEqualTo(String.valueOf(2 * BATCHES));
  }

  @Test
  void fitOfMoreEpochsEndsTheRunOfSingleOnes() {
    HookedTrainer trainer = new HookedTrainer("first one, then more");
    trainer.fit(1);
    trainer.fit(2);
    trainer.close();

    assertThat(reports.lastWords(2))
        .extracting(end -> end.number("current_epoch"))
        .containsExactly(1.0, 2.0);
  }

  @Test
  void fitOfNoEpochsIsNoRun() {
    HookedTrainer none = new HookedTrainer("none");
    none.fit(0);
    none.close();
    HookedTrainer one = new HookedTrainer("one");
    one.fit(2);
    one.close();

    assertThat(reports.lastWord().number("current_epoch")).isEqualTo(2);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("thrown")
  void whatLeavesFitSaysHowItEnded(Throwable thrown, String state) {
    HookedTrainer trainer = new HookedTrainer("thrown out of fit");
    trainer.progress.fitBegan(trainer.trainer, 5);
    trainer.fitEpoch();
    trainer.fitBatch();
    trainer.progress.fitEnded(thrown);
    trainer.close();

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo(state);
    assertThat(end.percent()).isEqualTo(26); // 4 of 15 steps
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("thrown")
  void whatLeavesAHookedCallOfALoopSaysHowItEnded(Throwable thrown, String state) {
    HookedTrainer trainer = new HookedTrainer("thrown out of a loop");
    trainer.step();
    trainer.progress.stepped(trainer.trainer, thrown);
    trainer.close();

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo(state);
    assertThat(end.number("current_step")).isEqualTo(1);
  }

  static Stream<Arguments> thrown() {
    return Stream.of(
        Arguments.of(new EarlyStoppedException(1, "good enough"), "stopped_early"),
        Arguments.of(new TrainingDivergedException("NaN"), "diverged"),
        Arguments.of(new IOException("the data is gone"), "failed"),
        Arguments.of(new OutOfMemoryError("a test's"), "failed"));
  }

  @Test
  void whatAListenerThrowsWithinFitIsForFitToThrow() {
    HookedTrainer trainer = new HookedTrainer("caught within fit");
    trainer.progress.fitBegan(trainer.trainer, 2);
    trainer.fitBatch();
    trainer.progress.notified(listener -> {}, new EarlyStoppedException(1, "good enough"));
    trainer.fitBatch();
    trainer.fitBatch();
    trainer.endEpoch();
    trainer.fitEpoch();
    trainer.progress.fitEnded(null);
    trainer.close();

    assertThat(reports.lastWord().state()).isEqualTo("completed");
  }

  @Test
  void trainingGoesOnInANewRunAfterAFailure() {
    HookedTrainer trainer = new HookedTrainer("tries again");
    trainer.progress.fitBegan(trainer.trainer, 2);
    trainer.progress.fitEnded(new OutOfMemoryError("a test's"));
    trainer.fit(2);
    trainer.close();

    assertThat(reports.lastWords(2))
        .extracting(Status::state)
        .containsExactly("failed", "completed");
  }

  @Test
  void loopIsCompletedAfterAWhileWhateverItsTrainerSays() {
    RunOnAClock run = new RunOnAClock();
    HookedTrainer trainer = new HookedTrainer("loop", run);
    trainer.step();
    run.pass(Duration.ofSeconds(1));
    trainer.step();
    trainer.close();

    run.pass(Duration.ofSeconds(59));
    assertThat(run.state()).isEqualTo("running");
    run.pass(Duration.ofSeconds(2));
    assertThat(run.state()).isEqualTo("completed");
  }

  @Test
  void loopIsCompletedWhenATrainerStartsThatWasConstructedSince() {
    for (int fold = 1; fold <= 3; fold++) {
      HookedTrainer trainer = new HookedTrainer("fold " + fold);
      for (int step = 0; step < fold; step++) {
        trainer.step();
      }
      trainer.close();
    }
    HookedTrainer.endLoops();

    assertThat(reports.lastWords(4))
        .extracting(end -> end.number("current_step"))
        .startsWith(1.0, 2.0, 3.0);
  }

  @Test
  void secondOfTwoLoopsAtOnceIsNotReported() {
    HookedTrainer generator = new HookedTrainer("generator");
    HookedTrainer discriminator = new HookedTrainer("discriminator");
    for (int step = 0; step < 5; step++) {
      generator.step();
      discriminator.step();
    }
    generator.close();
    discriminator.close();
    HookedTrainer.endLoops();

    List<Status> ends = reports.lastWords(2);
    assertThat(ends.get(0).number("current_step")).isEqualTo(5);
    assertThat(ends.get(1).number("run")).isEqualTo(ends.get(0).number("run") + 1);
  }

  @Test
  void secondOfTwoFitsAtOnceIsNotReported() {
    HookedTrainer outer = new HookedTrainer("outer");
    HookedTrainer inner = new HookedTrainer("inner");
    outer.progress.fitBegan(outer.trainer, 1);
    inner.fit(4);
    inner.close();
    outer.fitEpoch();
    outer.progress.fitEnded(null);
    outer.close();
    HookedTrainer.endLoops();

    List<Status> ends = reports.lastWords(2);
    assertThat(ends.get(0).number("current_epoch")).isEqualTo(1);
    assertThat(ends.get(1).number("run")).isEqualTo(ends.get(0).number("run") + 1);
  }

  @Test
  void secondOfTwoAtOnceIsReportedOnceTheFirstHasFailed() {
    HookedTrainer first = new HookedTrainer("first");
    HookedTrainer second = new HookedTrainer("second");
    first.step();
    second.step();
    first.progress.stepped(first.trainer, new IllegalStateException("no gradients"));
    second.step();
    second.step();
    HookedTrainer.endLoops();

    List<Status> ends = reports.lastWords(3);
    assertThat(ends.get(0).state()).isEqualTo("failed");
    assertThat(ends.get(1).number("current_step")).isEqualTo(2);
  }

  @Test
  void secondOfTwoWithFitsOfOneEpochIsReportedOnceTheFirstIsOver() {
    HookedTrainer first = new HookedTrainer("first");
    HookedTrainer second = new HookedTrainer("second");
    first.fit(1);
    second.fit(1);
    first.fit(1);
    first.close();
    second.fit(1);
    second.fit(1);
    second.close();

    List<Status> ends = reports.lastWords(2);
    assertThat(ends).extracting(Status::state).containsExactly("completed", "completed");
    assertThat(ends.get(1).number("current_step")).isEqualTo(2 * BATCHES);
  }

  @Test
  void trainerThatOnlyEvaluatesIsNoRun() {
    HookedTrainer training = new HookedTrainer("training");
    training.step();
    HookedTrainer evaluation = new HookedTrainer("evaluation");
    evaluation.validate();
    evaluation.close();
    training.step();
    HookedTrainer.endLoops();

    assertThat(reports.lastWords(2).get(0).number("current_step")).isEqualTo(2);
  }

  @Test
  void loopFailsWhenItsThreadDies() throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              HookedTrainer trainer = new HookedTrainer("dies");
              trainer.step();
              trainer.close(); // as try-with-resources does on the way out
              throw new IllegalStateException("the training dies");
            });
    thread.setUncaughtExceptionHandler((died, thrown) -> {});
    thread.start();
    thread.join();

    assertThat(reports.lastWord().state()).isEqualTo("failed");
  }

  @Test
  void stateIsEvaluatingUntilTheNextStep() {
    RunOnAClock run = new RunOnAClock();
    HookedTrainer trainer = new HookedTrainer("validates", run);
    trainer.progress.fitBegan(trainer.trainer, 2);
    trainer.fitBatch();
    trainer.validate();
    assertThat(run.state()).isEqualTo("evaluating");

    trainer.fitBatch();
    assertThat(run.state()).isEqualTo("running");
    trainer.progress.fitEnded(new IOException("enough"));
    assertThat(run.state()).isEqualTo("failed");
  }

  @Test
  void nothingIsEverThrown() {
    TrainerProgress progress = new TrainerProgress();

    assertThatCode(
            () -> {
              progress.constructed(null);
              progress.stepped(null, null);
              progress.notified(null, null);
              progress.notified(
                  listener -> ((HookedTrainer) (Object) listener).close(), null); // a user's cast
              progress.datasetIterated(null, null, null);
              progress.collectsGradients(null, null);
              progress.onTrainingBatch(null, null);
              progress.onEpoch(null);
              progress.onTrainingEnd(null);
              progress.fitBegan(null, 3);
              progress.fitEnded(null);
              TrainerProgress.backward(null);
              TrainerProgress.backwardFailed(null);
            })
        .doesNotThrowAnyException();
  }
}
