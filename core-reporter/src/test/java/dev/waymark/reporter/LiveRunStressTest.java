package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that train against one that reads. */
class LiveRunStressTest {
  private static final int WRITERS = 4;
  private static final int STEPS = 100_000;
  private static final int STEPS_PER_SNAPSHOT = 1_000;

  /** Without them the writers may be done before the reader gets a processor for the first time. */
  private final Semaphore snapshotsToGoOn = new Semaphore(0);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final LiveRun run =
      new LiveRun(1, "a run", Settings.read(name -> null), System::nanoTime);

  @AfterEach
  void end() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void countsEveryStepOfEveryThreadAndNeverFalls() throws Exception {
    run.planSteps((long) WRITERS * STEPS);
    List<Future<?>> writers = new ArrayList<>();
    for (int w = 0; w < WRITERS; w++) {
      String metric = "metric_" + w;
      writers.add(
          threads.submit(
              () -> {
                for (int i = 1; i <= STEPS; i++) {
                  waitForTheReader(i);
                  run.step();
                  run.metric(metric, i);
                }
                return null;
              }));
    }

    int snapshots = 0;
    long step = 0;
    int percent = 0;
    while (!writers.stream().allMatch(Future::isDone)) {
      RunSnapshot snapshot = run.snapshot();
      long nextStep = number(snapshot, "current_step");
      assertThat(nextStep).isGreaterThanOrEqualTo(step);
      assertThat(snapshot.percent())
          .isBetween(percent, 99)
          .isEqualTo((int) Math.min(99, 100 * nextStep / (WRITERS * STEPS)));
      step = nextStep;
      percent = snapshot.percent();
      snapshots++;
      snapshotsToGoOn.release(WRITERS);
    }
    for (Future<?> writer : writers) {
      writer.get();
    }

    assertThat(snapshots).isGreaterThanOrEqualTo(STEPS / STEPS_PER_SNAPSHOT);
    assertThat(number(run.snapshot(), "current_step")).isEqualTo((long) WRITERS * STEPS);
    assertThat(run.snapshot().others())
        .extracting(Metric::value)
        .hasSize(WRITERS)
        .containsOnly(Integer.toString(STEPS));
  }

  @Test
  void isNeverTorn() throws Exception {
    Future<?> writer =
        threads.submit(
            () -> {
              for (int i = 1; i <= STEPS; i++) {
                waitForTheReader(i);
                run.step(i);
              }
              return null;
            });

    int snapshots = 0;
    while (!writer.isDone()) {
      RunSnapshot snapshot = run.snapshot();
      assertThat(number(snapshot, "loss")).isEqualTo(number(snapshot, "current_step"));
      snapshots++;
      snapshotsToGoOn.release();
    }
    writer.get();

    assertThat(snapshots).isGreaterThanOrEqualTo(STEPS / STEPS_PER_SNAPSHOT);
  }

  @Test
  void endsOnceWhoeverEndsItFirst() throws Exception {
    for (int round = 0; round < 200; round++) {
      LiveRun contested = new LiveRun(1, "a run", Settings.read(name -> null), System::nanoTime);
      Map<RunState, Future<Boolean>> ends =
          Map.of(
              RunState.COMPLETED, threads.submit(() -> contested.end(RunState.COMPLETED)),
              RunState.FAILED, threads.submit(() -> contested.end(RunState.FAILED)),
              RunState.INTERRUPTED, threads.submit(() -> contested.endWithJvm(true)));
      List<RunState> winners = new ArrayList<>();
      for (Map.Entry<RunState, Future<Boolean>> end : ends.entrySet()) {
        if (end.getValue().get()) {
          winners.add(end.getKey());
        }
      }
      assertThat(winners).containsExactly(contested.snapshot().state());
    }
  }

  /** On average a writer makes so many steps a snapshot; a few may run ahead of the others. */
  private void waitForTheReader(int step) throws InterruptedException {
    if (step % STEPS_PER_SNAPSHOT == 0) {
      snapshotsToGoOn.acquire();
    }
  }

  private static long number(RunSnapshot snapshot, String name) {
    return snapshot.own().stream()
        .filter(metric -> metric.name().equals(name))
        .mapToLong(metric -> Long.parseLong(metric.value()))
        .findFirst()
        .orElse(0);
  }
}
