package dev.waymark.reporter;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Makes threads that keep nothing of the thread that makes them: not its class loader, its
 * thread-locals, nor (JDK 17) its access-control context. Each of these would keep the program's
 * classes alive for as long as the reporter's thread lives.
 */
final class DetachedThread {
  private DetachedThread() {}

  /** A thread that is not started yet. */
  static Thread of(String name, Runnable task) {
    return AccessController.doPrivileged(
        (PrivilegedAction<Thread>)
            () -> {
              Thread thread = new Thread(null, task, name, 0, false);
              thread.setContextClassLoader(null);
              return thread;
            });
  }
}
