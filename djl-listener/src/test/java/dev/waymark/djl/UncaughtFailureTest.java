package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.TrainingRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class UncaughtFailureTest {
  private static ReceivedReports reports;

  private final RuntimeException failure = new IllegalStateException("the training dies");
  private final List<Throwable> handedOn = new ArrayList<>();

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @Test
  void failsTheRunAndHandsOnToTheThreadsHandler() throws InterruptedException {
    Thread thread = new Thread(this::trainAndDie);
    thread.setUncaughtExceptionHandler((died, thrown) -> handedOn.add(thrown));
    thread.start();
    thread.join();

    assertThat(handedOn).containsExactly(failure);
    assertThat(reports.lastWord().state()).isEqualTo("failed");
  }

  @Test
  void handsOnToTheThreadGroup() throws InterruptedException {
    ThreadGroup group =
        new ThreadGroup("a group with a mind of its own") {
          @Override
          public void uncaughtException(Thread died, Throwable thrown) {
            handedOn.add(thrown);
          }
        };
    Thread thread = new Thread(group, this::trainAndDie);
    thread.start();
    thread.join();

    assertThat(handedOn).containsExactly(failure);
    assertThat(reports.lastWord().state()).isEqualTo("failed");
  }

  @Test
  void watchesOneRunAtATimeAndKeepsOneHandler() throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; i < 3; i++) {
                TrainingRun run = TrainingRun.attach("run " + i);
                UncaughtFailure.watch(run);
                UncaughtFailure.watch(run);
                run.complete();
              }
              trainAndDie();
            });
    thread.setUncaughtExceptionHandler((died, thrown) -> handedOn.add(thrown));
    thread.start();
    thread.join();

    assertThat(handedOn).containsExactly(failure);
    assertThat(reports.lastWords(4))
        .extracting(Status::state)
        .containsExactly("completed", "completed", "completed", "failed");
  }

  private void trainAndDie() {
    UncaughtFailure.watch(TrainingRun.attach("a run"));
    throw failure;
  }
}
