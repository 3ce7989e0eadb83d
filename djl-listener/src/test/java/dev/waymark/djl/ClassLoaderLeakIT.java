package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.djl.training.Trainer;
import dev.waymark.reporter.testing.ReceivedReports;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * A program that listens by hand, in a class loader of its own and on a thread that lives on, as in
 * a server that is redeployed.
 */
class ClassLoaderLeakIT {
  @Test
  void theThreadThatTrainedKeepsNothingOfTheProgram() throws Exception {
    ReceivedReports reports = ReceivedReports.inThisJvm();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      WeakReference<ClassLoader> program = trainOn(pool);

      assertThat(reports.lastWord().state()).isEqualTo("completed");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                System.gc();
                return program.get() == null;
              });
    } finally {
      pool.shutdown();
    }
  }

  // Not closed: the reporter's thread may need a class yet when the training is over.
  @SuppressWarnings("resource")
  private static WeakReference<ClassLoader> trainOn(ExecutorService pool) throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
      classPath.add(Path.of(element).toUri().toURL());
    }
    ClassLoader loader =
        new URLClassLoader(classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    Class<?> program = loader.loadClass(Program.class.getName());
    assertThat(program).isNotSameAs(Program.class);
    Runnable training = (Runnable) program.getConstructor().newInstance();
    pool.submit(() -> inContextOf(loader, training)).get();
    return new WeakReference<>(loader);
  }

  /** DJL looks for its engines in the thread's class loader. */
  private static void inContextOf(ClassLoader loader, Runnable training) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      training.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** What the loader's own copy of the listener is told. */
  public static final class Program implements Runnable {
    /** Called by reflection. */
    public Program() {}

    @Override
    public void run() {
      ProgressTrainingListener listener =
          ProgressTrainingListener.builder().optTotalEpochs(2).build();
      Trainer trainer = TrainerDouble.of("in a loader of its own", listener);
      for (int epoch = 0; epoch < 2; epoch++) {
        listener.onTrainingBatch(trainer, TrainerDouble.batch(32, 32));
        listener.onEpoch(trainer);
      }
      listener.onTrainingEnd(trainer);
    }
  }
}
