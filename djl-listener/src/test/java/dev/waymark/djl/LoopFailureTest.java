package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hand-written loops that fail before their first step, and whose failure that is. */
class LoopFailureTest {

  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("dev.waymark.djl.TrainerProgressTest#thrown")
  void whatTheFirstBackwardOfALoopThrowsSaysHowItEnded(Throwable thrown, String state) {
    HookedTrainer trainer = new HookedTrainer("fails at once");
    trainer.backwardThrows(thrown);
    trainer.close();

    assertThat(reports.lastWord().state()).isEqualTo(state);
  }

  @Test
  void loopFailsWhenItsDataCannotBeIterated() {
    HookedTrainer trainer = new HookedTrainer("no data");
    trainer.progress.datasetIterated(
        trainer.trainer, new NoData(), new IOException("the data is gone"));
    trainer.close();

    assertThat(reports.lastWord().state()).isEqualTo("failed");
  }

  @Test
  void loopFailsWhenItsFirstCollectorCannotBeHad() {
    HookedTrainer trainer = new HookedTrainer("no collector");
    trainer.progress.collectsGradients(trainer.trainer, new IllegalStateException("one is open"));
    trainer.close();

    assertThat(reports.lastWord().state()).isEqualTo("failed");
  }

  @Test
  void whatTheNextLoopThrowsFirstIsNotChargedToTheOneBefore() {
    for (int fold = 1; fold <= 2; fold++) {
      HookedTrainer trainer = new HookedTrainer("fold " + fold);
      trainer.step();
      trainer.step();
      trainer.close();
    }
    HookedTrainer last = new HookedTrainer("fold 3");
    last.backwardThrows(new IllegalStateException("a shape that doesn't fit"));
    last.close();

    List<Status> ends = reports.lastWords(3);
    assertThat(ends).extracting(Status::state).containsExactly("completed", "completed", "failed");
    assertThat(ends.get(2).number("run")).isEqualTo(ends.get(0).number("run") + 2);
  }

  @Test
  void whatBackwardThrowsAfterCloseIsNotTheTrainers() {
    HookedTrainer trainer = new HookedTrainer("closed");
    trainer.step();
    trainer.close();
    TrainerProgress.backwardFailed(new IllegalStateException("of gradients without a trainer"));
    HookedTrainer.endLoops();

    assertThat(reports.lastWords(2).get(0).state()).isEqualTo("completed");
  }

  @Test
  void whatTheSecondOfTwoAtOnceThrowsOnItsOwnThreadIsNotTheFirsts() throws InterruptedException {
    HookedTrainer first = new HookedTrainer("first");
    HookedTrainer second = new HookedTrainer("second");
    first.step();
    Thread thread =
        new Thread(
            () -> {
              second.step();
              second.backwardThrows(new IllegalStateException("the second fails"));
            });
    thread.start();
    thread.join();
    first.step();
    first.close();
    HookedTrainer.endLoops();

    Status end = reports.lastWords(2).get(0);
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_step")).isEqualTo(2);
  }

  @Test
  void loopFailsOnceWhenItsThreadDiesBeforeTheFirstStep() throws InterruptedException {
    List<Throwable> handedOn = new ArrayList<>();
    IllegalStateException thrown = new IllegalStateException("a shape that doesn't fit");
    Thread thread =
        new Thread(
            () -> {
              HookedTrainer trainer = new HookedTrainer("dies at once");
              trainer.backwardThrows(thrown);
              trainer.close();
              throw thrown;
            });
    thread.setUncaughtExceptionHandler((died, uncaught) -> handedOn.add(uncaught));
    thread.start();
    thread.join();
    HookedTrainer.endLoops();

    List<Status> ends = reports.lastWords(2);
    assertThat(ends).extracting(Status::state).containsExactly("failed", "completed");
    assertThat(ends.get(1).number("run")).isEqualTo(ends.get(0).number("run") + 1);
    assertThat(handedOn).containsExactly(thrown);
  }

  @Test
  void loopFailsWhenItsThreadDiesWithinItsFirstBatch() throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              HookedTrainer trainer = new HookedTrainer("dies in forward");
              trainer.collectGradients();
              trainer.close();
              throw new IllegalStateException("a shape that doesn't fit");
            });
    thread.setUncaughtExceptionHandler((died, uncaught) -> {});
    thread.start();
    thread.join();

    assertThat(reports.lastWord().state()).isEqualTo("failed");
  }
}
