package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two hundred runs in one JVM, in a class loader of their own, as in a server that is redeployed.
 */
class ClassLoaderLeakIT {
  private static final int RUNS = 200;

  @TempDir private Path folder;
  private final TestCa ca = new TestCa("Waymark test CA");
  private final FaultyServer server = new FaultyServer(ca.serverFor("127.0.0.1"));
  private Map<String, String> properties;

  @BeforeEach
  void setProperties() throws Exception {
    properties =
        Map.of(
            "kubeflow.trainer.server.url", server.url().toString(),
            "kubeflow.trainer.server.ca.cert",
                TestCa.write(folder.resolve("ca.crt"), ca).toString(),
            "kubeflow.trainer.server.token",
                Files.writeString(folder.resolve("token"), "the-token").toString(),
            "waymark.interval", "1");
    properties.forEach(System::setProperty);
  }

  @AfterEach
  void clear() {
    properties.keySet().forEach(System::clearProperty);
    System.clearProperty(Reporter.BY_HAND);
    server.close();
  }

  @Test
  void twoHundredRunsLeaveNoThreadNoFileAndNoClassLoaderBehind() throws Exception {
    long filesBefore = openFiles();

    WeakReference<ClassLoader> loader = trainInALoaderOfItsOwn();

    await().atMost(Duration.ofSeconds(40)).until(() -> threads().isEmpty());
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              System.gc();
              return loader.get() == null;
            });
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(server.openConnections()).isZero());
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(openFiles()).isLessThanOrEqualTo(filesBefore + 5));
    String last = server.requests().get(server.requests().size() - 1).body;
    assertThat(RecordingEndpoint.metrics(new ObjectMapper().readTree(last).get("trainerStatus")))
        .containsEntry("run", Integer.toString(RUNS))
        .containsEntry("state", "completed");
  }

  private static WeakReference<ClassLoader> trainInALoaderOfItsOwn() throws Exception {
    URL classes = TrainingRun.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      Class<?> type = loader.loadClass(TrainingRun.class.getName());
      assertThat(type.getClassLoader()).isSameAs(loader);
      for (int i = 0; i < RUNS; i++) {
        Object run = type.getMethod("start").invoke(null);
        assertThat(type.getMethod("isReported").invoke(run)).isEqualTo(true);
        type.getMethod("planSteps", long.class).invoke(run, 3L);
        for (int step = 0; step < 3; step++) {
          type.getMethod("step", double.class).invoke(run, 0.5);
        }
        type.getMethod("complete").invoke(run);
      }
      // The loader's jar is closed with it: what is still needed must be loaded before.
      await().atMost(Duration.ofSeconds(40)).until(() -> threads().isEmpty());
      return new WeakReference<>(loader);
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("waymark"))
        .toList();
  }

  private static long openFiles() {
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getOpenFileDescriptorCount();
  }
}
