package dev.waymark.djl;

import dev.waymark.reporter.TrainingRun;
import java.lang.Thread.UncaughtExceptionHandler;

/**
 * Ends a run whose thread dies of an uncaught exception, then hands on to the handler that the
 * thread had before (its own, or its thread group's, which asks the default one).
 */
final class UncaughtFailure implements UncaughtExceptionHandler {
  private final TrainingRun run;
  private final UncaughtExceptionHandler before;

  private UncaughtFailure(TrainingRun run, UncaughtExceptionHandler before) {
    this.run = run;
    this.before = before;
  }

  /** Watches the present thread for this run, no longer for an earlier one. */
  static void watch(TrainingRun run) {
    Thread thread = Thread.currentThread();
    UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
    if (!(handler instanceof UncaughtFailure)) {
      thread.setUncaughtExceptionHandler(new UncaughtFailure(run, handler));
    } else if (((UncaughtFailure) handler).run != run) {
      thread.setUncaughtExceptionHandler(
          new UncaughtFailure(run, ((UncaughtFailure) handler).before));
    }
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    Ending.tell(run, thrown);
    if (before != null) {
      before.uncaughtException(thread, thrown);
    }
  }
}
