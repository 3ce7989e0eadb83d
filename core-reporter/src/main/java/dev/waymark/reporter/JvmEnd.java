package dev.waymark.reporter;

import java.util.Collection;

/**
 * Why the JVM ends: by itself (main has returned, or exit was called), or because a signal ended
 * it.
 */
final class JvmEnd {
  private JvmEnd() {}

  /** To be asked in a shutdown hook. */
  static boolean isSignalled() {
    return isSignalled(Thread.getAllStackTraces().values());
  }

  /**
   * Nothing in the JDK tells, but while hooks run, the thread that handles the signal waits for
   * them inside its handler: {@code java.lang.Terminator} on {@code jdk.internal.misc.Signal} (JDK
   * 11 to 25), or a program's own handler on the latter.
   */
  static boolean isSignalled(Collection<StackTraceElement[]> stacks) {
    for (StackTraceElement[] stack : stacks) {
      for (StackTraceElement frame : stack) {
        String type = frame.getClassName();
        if (type.startsWith("java.lang.Terminator")
            || type.startsWith("jdk.internal.misc.Signal")) {
          return true;
        }
      }
    }
    return false;
  }
}
