package dev.waymark.djl;

import ai.djl.TrainingDivergedException;
import ai.djl.training.listener.EarlyStoppingListener.EarlyStoppedException;
import dev.waymark.reporter.TrainingRun;

/** What it means for a run that something was thrown out of its training. */
enum Ending {
  STOPPED_EARLY,
  DIVERGED,
  FAILED;

  /** Of DJL's own exceptions two are no failures: its listeners end a training by throwing them. */
  static Ending by(Throwable thrown) {
    if (thrown instanceof EarlyStoppedException) {
      return STOPPED_EARLY;
    }
    return thrown instanceof TrainingDivergedException ? DIVERGED : FAILED;
  }

  static void tell(TrainingRun run, Throwable thrown) {
    switch (by(thrown)) {
      case STOPPED_EARLY:
        run.stoppedEarly();
        break;
      case DIVERGED:
        run.diverged();
        break;
      case FAILED:
        run.failed(thrown);
        break;
    }
  }
}
