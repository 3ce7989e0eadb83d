package example;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Trains in two class loaders, each with a DJL of its own, lets go of them, and tells whether they
 * are gone, while the thread that trained lives on. Its arguments are the class paths of the two
 * trainings, and what they train.
 */
public final class TwoCopies {
  private TwoCopies() {}

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    WeakReference<ClassLoader> first = train(pool, arguments[0], arguments[2]);
    WeakReference<ClassLoader> second = train(pool, arguments[1], arguments[2]);
    System.out.println(isCollected(first) && isCollected(second) ? "collected" : "leaked");
    pool.shutdown();
  }

  private static WeakReference<ClassLoader> train(
      ExecutorService pool, String classPath, String scenario) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String element : classPath.split(File.pathSeparator, -1)) {
      urls.add(Path.of(element).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      pool.submit(() -> call(loader, scenario)).get();
      return new WeakReference<>(loader);
    }
  }

  private static void call(ClassLoader loader, String scenario) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      loader
          .loadClass("example.Training")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[] {scenario});
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static boolean isCollected(WeakReference<?> reference) throws InterruptedException {
    for (int tries = 0; tries < 250 && reference.get() != null; tries++) {
      System.gc();
      Thread.sleep(100);
    }
    return reference.get() == null;
  }
}
