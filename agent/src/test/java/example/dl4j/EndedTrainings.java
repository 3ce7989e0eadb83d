package example.dl4j;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.nd4j.linalg.dataset.DataSet;

/** Trainings that end with their JVM, in one way or another. */
final class EndedTrainings {
  static final Map<String, Training> ALL = new LinkedHashMap<>();

  static {
    ALL.put("dies", EndedTrainings::dies);
    ALL.put("exits", EndedTrainings::exits);
    ALL.put("exits-in-batch", EndedTrainings::exitsInBatch);
    ALL.put("is-terminated", EndedTrainings::isTerminated);
    ALL.put("is-terminated-afterwards", EndedTrainings::isTerminatedAfterwards);
  }

  private EndedTrainings() {}

  private static void dies() {
    MultiLayerNetwork network = Printed.by(Networks.network());
    for (DataSet batch : Data.batches().subList(0, 4)) {
      network.fit(batch);
    }
    throw new IllegalStateException("out of main");
  }

  private static void exits() {
    endingAt(8, () -> System.exit(3)).fit(Data.points(), 5);
  }

  private static void exitsInBatch() {
    Data.batches().forEach(endingAt(3, () -> System.exit(3))::fit);
  }

  private static void isTerminated() {
    endingAt(8, EndedTrainings::terminate).fit(Data.points(), 5);
  }

  private static void isTerminatedAfterwards() {
    MultiLayerNetwork network = Printed.by(Networks.network());
    network.fit(Data.points(), 2);
    terminate();
  }

  /** Ends this process as Kubernetes ends a pod: a signal comes, and the program goes on. */
  private static void terminate() {
    try {
      new ProcessBuilder("kill", "-TERM", Long.toString(ProcessHandle.current().pid())).start();
      Thread.currentThread().join();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MultiLayerNetwork endingAt(int iteration, Runnable end) {
    MultiLayerNetwork network = Printed.by(Networks.network());
    network.addListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            if (now == iteration) {
              end.run();
            }
          }
        });
    return network;
  }
}
