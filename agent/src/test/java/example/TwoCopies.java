package example;

import java.lang.ref.WeakReference;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Trains in two class loaders, each with a DJL of its own, lets go of them, and tells whether they
 * are gone, while the thread that trained lives on. Its arguments are the class paths of the two
 * trainings, and what they train.
 */
public final class TwoCopies {
  private static final String MAIN = "example.Training";

  private TwoCopies() {}

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    WeakReference<ClassLoader> first = Deployment.of(pool, arguments[0], MAIN, arguments[2]);
    WeakReference<ClassLoader> second = Deployment.of(pool, arguments[1], MAIN, arguments[2]);
    System.out.println(isCollected(first) && isCollected(second) ? "collected" : "leaked");
    pool.shutdown();
  }

  private static boolean isCollected(WeakReference<?> reference) throws InterruptedException {
    for (int tries = 0; tries < 250 && reference.get() != null; tries++) {
      System.gc();
      Thread.sleep(100);
    }
    return reference.get() == null;
  }
}
