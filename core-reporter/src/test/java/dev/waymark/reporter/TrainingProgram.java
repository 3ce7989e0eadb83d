package dev.waymark.reporter;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A program for the tests that need a JVM of their own; its argument says what it does. */
final class TrainingProgram {
  private TrainingProgram() {}

  public static void main(String[] args) throws InterruptedException {
    switch (args[0]) {
      case "complete":
        try (TrainingRun run = train()) {
          run.complete();
        }
        break;
      case "complete-when":
        try (TrainingRun run = train()) {
          while (!Files.exists(Path.of(args[1]))) {
            Thread.onSpinWait();
          }
          run.complete();
        }
        break;
      case "throw":
        try (TrainingRun run = train()) {
          throw new IllegalStateException("as the test wants it, at " + run.isReported());
        }
      case "forget":
        train();
        break;
      case "exit":
        train();
        System.out.println("main ends");
        System.exit(7);
        break;
      case "presume":
        trainTo(4).presumeCompleted(Duration.ofMinutes(1), false);
        break;
      case "presume-short":
        train().presumeCompleted(Duration.ofMinutes(1), true);
        break;
      case "presume-over":
        train().presumeOver(Duration.ofMinutes(1), false);
        break;
      case "presume-quiet":
        trainTo(4).presumeCompleted(Duration.ofMillis(1500), false);
        waitForever();
        break;
      case "train":
        train();
        waitForever();
        break;
      case "presume-and-train":
        trainTo(4).presumeCompleted(Duration.ofMinutes(1), Boolean.parseBoolean(args[1]));
        waitForever();
        break;
      case "short-runs":
        for (int run = 1; run < 12; run++) {
          train().complete();
        }
        train().failed(new IllegalStateException("as the test wants it"));
        break;
      case "threads":
        train().complete();
        Thread.getAllStackTraces()
            .keySet()
            .forEach(t -> System.out.println("thread " + t.getName()));
        break;
      default:
        throw new IllegalArgumentException(args[0]);
    }
    System.out.println("main ends");
  }

  private static TrainingRun train() {
    return trainTo(10);
  }

  /** Trains four steps of those planned. */
  private static TrainingRun trainTo(int plannedSteps) {
    TrainingRun run = TrainingRun.start();
    run.planSteps(plannedSteps);
    for (int i = 0; i < 4; i++) {
      run.step(0.5);
    }
    return run;
  }

  private static void waitForever() throws InterruptedException {
    System.out.println("training");
    new CountDownLatch(1).await();
  }
}
