package dev.waymark.djl;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An error within Waymark's own code, met in the middle of somebody's training: it is told in one
 * line, once a process, and the training goes on.
 */
final class Fault {
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private Fault() {}

  static void tell(Throwable fault) {
    if (!"off".equalsIgnoreCase(Setting.of("WAYMARK_LOG")) && !TOLD.getAndSet(true)) {
      System.err.println(
          "[waymark] WARN some figures of this DJL training are not reported: "
              + fault.toString().replaceAll("\\p{Cntrl}", " "));
    }
  }
}
