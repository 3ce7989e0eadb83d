package dev.waymark.reporter;

import java.lang.Thread.UncaughtExceptionHandler;

/**
 * Ends a run whose thread dies of an uncaught exception, then hands on to the handler that the
 * thread had before (its own, or its thread group's, which asks the default one). For the listeners
 * of frameworks.
 *
 * <p>Only the watched thread itself puts the handler in place and takes it away: from another one
 * that could undo what the program sets in the same moment. So on a thread that lives on and trains
 * no more it stays after its run's end. It refers to nothing of the framework's.
 */
public final class UncaughtFailure implements UncaughtExceptionHandler {
  private final TrainingRun run;
  private final EndingExceptions endings;

  /** Null stands for the thread's group. */
  private final UncaughtExceptionHandler before;

  private UncaughtFailure(
      TrainingRun run, EndingExceptions endings, UncaughtExceptionHandler before) {
    this.run = run;
    this.endings = endings;
    this.before = before;
  }

  /**
   * Watches the present thread for this run, no longer for an earlier one. A run that is not
   * reported, or has ended, is not watched. Cheap enough to be called at each step.
   *
   * @param endings what the exceptions of the framework mean
   */
  public static void watch(TrainingRun run, EndingExceptions endings) {
    if (!isLive(run)) {
      leaveEnded();
      return;
    }
    Thread thread = Thread.currentThread();
    UncaughtExceptionHandler present = thread.getUncaughtExceptionHandler();
    if (!(present instanceof UncaughtFailure)) {
      UncaughtExceptionHandler before = present instanceof ThreadGroup ? null : present;
      set(thread, new UncaughtFailure(run, endings, before));
    } else if (((UncaughtFailure) present).run != run) {
      set(thread, new UncaughtFailure(run, endings, ((UncaughtFailure) present).before));
    }
  }

  /** Takes away what is left on the present thread of a run that has ended. */
  public static void leaveEnded() {
    Thread thread = Thread.currentThread();
    UncaughtExceptionHandler present = thread.getUncaughtExceptionHandler();
    if (present instanceof UncaughtFailure && !isLive(((UncaughtFailure) present).run)) {
      set(thread, ((UncaughtFailure) present).before);
    }
  }

  /** The handler that the present thread has by itself; its thread group if it has none. */
  public static UncaughtExceptionHandler handlerOfProgram() {
    Thread thread = Thread.currentThread();
    UncaughtExceptionHandler present = thread.getUncaughtExceptionHandler();
    if (!(present instanceof UncaughtFailure)) {
      return present;
    }
    UncaughtExceptionHandler before = ((UncaughtFailure) present).before;
    return before == null ? thread.getThreadGroup() : before;
  }

  private static boolean isLive(TrainingRun run) {
    return run.isReported() && !run.hasEnded();
  }

  private static void set(Thread thread, UncaughtExceptionHandler handler) {
    try {
      thread.setUncaughtExceptionHandler(handler);
    } catch (SecurityException e) {
      // The program's policy: its threads are not watched.
    }
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    endings.end(run, thrown);
    UncaughtExceptionHandler next = before != null ? before : thread.getThreadGroup();
    if (next != null) {
      next.uncaughtException(thread, thrown);
    }
  }
}
