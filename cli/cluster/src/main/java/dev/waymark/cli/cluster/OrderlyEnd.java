package dev.waymark.cli.cluster;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command take away what it has made in a cluster when a signal ends it: its thread is
 * interrupted, and the JVM waits a while until it is done.
 */
final class OrderlyEnd implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 10;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;

  private OrderlyEnd(Thread command) {
    hook = new Thread(() -> end(command), "waymark-end");
  }

  /** From now on, for this thread. */
  static OrderlyEnd ofThisThread() {
    OrderlyEnd end = new OrderlyEnd(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(end.hook);
    return end;
  }

  private void end(Thread command) {
    command.interrupt();
    try {
      done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    }
  }

  /** All is taken away. */
  @Override
  public void close() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException theJvmEnds) {
      // And the hook sees that this is done.
    }
  }
}
