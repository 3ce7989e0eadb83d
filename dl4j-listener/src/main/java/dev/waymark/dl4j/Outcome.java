package dev.waymark.dl4j;

import dev.waymark.reporter.TrainingRun;

/** How a training has ended, where Deeplearning4j says it. */
enum Outcome {
  /** As the call planned; the settings may plan more, and then it was cut short. */
  COMPLETED,
  STOPPED_EARLY,
  DIVERGED,
  FAILED;

  /**
   * @param cause what a failed run failed of; may be null
   */
  void end(TrainingRun run, Throwable cause) {
    switch (this) {
      case COMPLETED:
        run.over();
        break;
      case STOPPED_EARLY:
        run.stoppedEarly();
        break;
      case DIVERGED:
        run.diverged();
        break;
      case FAILED:
        run.failed(cause);
        break;
    }
  }
}
