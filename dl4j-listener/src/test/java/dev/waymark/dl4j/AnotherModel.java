package dev.waymark.dl4j;

/** Another model than that of a test, whose training is the end of all that may be over. */
final class AnotherModel {
  private AnotherModel() {}

  /**
   * Starts, and is stopped at once. Its own last word comes after those that it gives rise to,
   * where no run by hand has kept it from being reported.
   */
  static void trains() {
    FittedRun run = new FittedRun("another model");
    run.fitBegan(FitPlan.untilStopped(0, 0), () -> Counters.ZERO);
    run.fitEnded(Outcome.STOPPED_EARLY, null);
  }
}
