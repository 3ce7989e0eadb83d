package dev.waymark.agent.run;

import dev.waymark.reporter.TrainingRun;
import example.Training;

/** A program that reports by hand what it trains, whatever an agent might do too. */
public final class ReportingByHand {
  private ReportingByHand() {}

  public static void main(String[] arguments) throws Exception {
    try (TrainingRun run = TrainingRun.start()) {
      run.planSteps(7);
      run.step();
      Training.main(new String[] {"fit"});
      run.complete();
    }
  }
}
