package dev.waymark.controller;

import dev.waymark.reporter.TrainingRun;
import java.util.concurrent.TimeUnit;

/** A training of a few seconds that reports as any program with the reporter does. */
public final class TrainingProgram {

  private static final int EPOCHS = 3;
  private static final int STEPS = 20;

  /** Trains; takes no arguments. */
  public static void main(String[] arguments) throws InterruptedException {
    try (TrainingRun run = TrainingRun.start()) {
      run.plan(EPOCHS, STEPS);
      for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        for (int step = 1; step <= STEPS; step++) {
          TimeUnit.MILLISECONDS.sleep(50);
          run.step(1.0 / (epoch * step));
        }
        run.epochEnded(epoch);
      }
      run.complete();
    }
  }

  private TrainingProgram() {}
}
