package dev.waymark.reporter;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An error within Waymark's own code, met in the middle of somebody's training: it is told in one
 * line, once a process, and the training goes on. For the listeners of frameworks.
 */
public final class Fault {
  /** Seen by the test, which may run more than once in a process. */
  static final AtomicBoolean TOLD = new AtomicBoolean();

  private Fault() {}

  /** Does what is to be done for a report, and keeps everything from the caller that it throws. */
  public static void guard(Runnable report) {
    try {
      report.run();
    } catch (Throwable fault) {
      tell(fault);
    }
  }

  /** Tells of what a listener has caught, unless there was one before. Never throws. */
  public static void tell(Throwable fault) {
    if (TOLD.get()) {
      return; // It may come with each step.
    }
    try {
      Log.Level level = Settings.read(Settings::ofThisJvm).logLevel();
      String text = "some figures of this training are not reported: " + fault;
      if (level != Log.Level.OFF && TOLD.compareAndSet(false, true)) {
        new Log(level).warn(text);
      }
    } catch (RuntimeException | Error e) {
      // There is no more to be said, and the training must go on.
    }
  }
}
