package example;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** A program in a class loader of its own, as in a server that is redeployed. */
final class Deployment {
  private Deployment() {}

  /**
   * Runs a program on a thread that lives on, and lets go of it.
   *
   * @return what tells whether somebody else still holds it
   */
  // Not closed: a program that reports by hand may need a class yet when its training is over.
  @SuppressWarnings("resource")
  static WeakReference<ClassLoader> of(
      ExecutorService server, String classPath, String main, String argument) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String element : classPath.split(File.pathSeparator, -1)) {
      urls.add(Path.of(element).toUri().toURL());
    }
    ClassLoader loader =
        new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    server.submit(() -> call(loader, main, argument)).get();
    return new WeakReference<>(loader);
  }

  private static Void call(ClassLoader loader, String main, String argument)
      throws ReflectiveOperationException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      loader
          .loadClass(main)
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[] {argument});
      return null;
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
