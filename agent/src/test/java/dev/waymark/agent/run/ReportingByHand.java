package dev.waymark.agent.run;

import dev.waymark.reporter.TrainingRun;
import example.Training;

/**
 * A program that reports by hand what it trains, whatever an agent might do too. With the argument
 * {@code late} it does so for a second training only.
 */
public final class ReportingByHand {
  private ReportingByHand() {}

  public static void main(String[] arguments) throws Exception {
    boolean late = arguments.length > 0 && arguments[0].equals("late");
    if (late) {
      Training.main(new String[] {"fit"});
    }
    try (TrainingRun run = TrainingRun.start()) {
      run.planSteps(7);
      run.step();
      if (!late) {
        Training.main(new String[] {"fit"});
      }
      run.complete();
    }
  }
}
