package dev.waymark.reporter;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.List;

/**
 * Ends a run whose thread dies of an uncaught exception, be it one that is only about to begin,
 * then hands on to the handler that the thread had before (its own, or its thread group's, which
 * asks the default one). For the listeners of frameworks.
 *
 * <p>Only the watched thread itself puts the handler in place and takes it away: from another one
 * that could undo what the program sets in the same moment. So on a thread that lives on and trains
 * no more it stays after its run's end. It refers to nothing of the framework's.
 */
public final class UncaughtFailure implements UncaughtExceptionHandler {
  /** Where no run is watched yet, what an exception means to one doesn't matter. */
  private static final EndingExceptions NONE = EndingExceptions.of(List.of(), List.of());

  private final TrainingRun run;
  private final EndingExceptions endings;

  /** What is to begin on this thread; null if that is nothing, or not known. */
  private final AwaitedRun awaited;

  /** Null stands for the thread's group. */
  private final UncaughtExceptionHandler before;

  private UncaughtFailure(
      TrainingRun run,
      EndingExceptions endings,
      AwaitedRun awaited,
      UncaughtExceptionHandler before) {
    this.run = run;
    this.endings = endings;
    this.awaited = awaited;
    this.before = before;
  }

  /**
   * Watches the present thread for this run, no longer for an earlier one, or for one that was
   * awaited. A run that is not reported, or has ended, is not watched. Cheap enough to be called at
   * each step.
   *
   * @param endings what the exceptions of the framework mean
   */
  public static void watch(TrainingRun run, EndingExceptions endings) {
    UncaughtFailure present = present();
    if (isLive(run)) {
      if (present == null || present.run != run || present.awaited != null) {
        set(new UncaughtFailure(run, endings, null, handlerBehind(present)));
      }
    } else if (present != null) {
      if (present.awaited != null) {
        set(new UncaughtFailure(present.run, present.endings, null, present.before));
      }
      leaveEnded();
    }
  }

  /**
   * Watches the present thread for a run that is about to begin, beside the one that it is watched
   * for, until a run is watched. Cheap enough to be called again and again.
   */
  public static void watch(AwaitedRun awaited) {
    UncaughtFailure present = present();
    if (present == null) {
      set(new UncaughtFailure(TrainingRun.inert(), NONE, awaited, handlerBehind(null)));
    } else if (present.awaited != awaited) {
      set(new UncaughtFailure(present.run, present.endings, awaited, present.before));
    }
  }

  /** Takes away what is left on the present thread of a run that has ended. */
  public static void leaveEnded() {
    UncaughtFailure present = present();
    if (present != null && present.awaited == null && !isLive(present.run)) {
      set(present.before);
    }
  }

  /** The handler that the present thread has by itself; its thread group if it has none. */
  public static UncaughtExceptionHandler handlerOfProgram() {
    UncaughtExceptionHandler programs = handlerBehind(present());
    return programs == null ? Thread.currentThread().getThreadGroup() : programs;
  }

  /** The one on the present thread; null if there is none. */
  private static UncaughtFailure present() {
    UncaughtExceptionHandler present = Thread.currentThread().getUncaughtExceptionHandler();
    return present instanceof UncaughtFailure ? (UncaughtFailure) present : null;
  }

  /** The program's own; null stands for the thread's group. */
  private static UncaughtExceptionHandler handlerBehind(UncaughtFailure present) {
    if (present != null) {
      return present.before;
    }
    UncaughtExceptionHandler programs = Thread.currentThread().getUncaughtExceptionHandler();
    return programs instanceof ThreadGroup ? null : programs;
  }

  private static boolean isLive(TrainingRun run) {
    return run.isReported() && !run.hasEnded();
  }

  private static void set(UncaughtExceptionHandler handler) {
    try {
      Thread.currentThread().setUncaughtExceptionHandler(handler);
    } catch (SecurityException e) {
      // The program's policy: its threads are not watched.
    }
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    if (awaited != null) {
      awaited.failed(thrown);
    }
    endings.end(run, thrown);
    UncaughtExceptionHandler next = before != null ? before : thread.getThreadGroup();
    if (next != null) {
      next.uncaughtException(thread, thrown);
    }
  }
}
