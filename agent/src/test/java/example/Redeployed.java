package example;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/**
 * A server whose program is deployed time and again, and which prints what is left of that. Its
 * arguments are the one of each deployment's main class, and of each the class path and that class.
 */
public final class Redeployed {
  private Redeployed() {}

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    long filesBefore = openFiles();
    List<WeakReference<ClassLoader>> deployments = new ArrayList<>();
    for (int i = 1; i < arguments.length; i += 2) {
      deployments.add(Deployment.of(pool, arguments[i], arguments[i + 1], arguments[0]));
    }
    awaitThat(() -> waymarksThreads().isEmpty());
    awaitThat(
        () -> {
          System.gc(); // after which jars of loaders that are gone are closed, too
          return left(deployments) == 0 && openFiles() - filesBefore < deployments.size();
        });
    System.out.println("threads left: " + waymarksThreads());
    System.out.println("class loaders left: " + left(deployments));
    System.out.println("files left: " + (openFiles() - filesBefore));
    pool.shutdown();
  }

  private static void awaitThat(BooleanSupplier condition) throws InterruptedException {
    for (int tries = 0; tries < 300 && !condition.getAsBoolean(); tries++) {
      Thread.sleep(100);
    }
  }

  private static List<String> waymarksThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("waymark"))
        .toList();
  }

  private static long left(List<WeakReference<ClassLoader>> deployments) {
    return deployments.stream().filter(deployment -> deployment.get() != null).count();
  }

  private static long openFiles() {
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getOpenFileDescriptorCount();
  }
}
