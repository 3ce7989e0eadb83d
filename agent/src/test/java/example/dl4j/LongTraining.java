package example.dl4j;

import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Long trainings, which print how much the heap has grown since their first third. */
public final class LongTraining {
  private LongTraining() {}

  /** Makes as many iterations of each kind as the argument says. */
  public static void main(String[] arguments) {
    int iterations = Integer.parseInt(arguments[0]);
    DataSet batch = Data.batches().get(0);

    MultiLayerNetwork network = Networks.network();
    Growth ofNetwork = new Growth("network.fit(batch)", iterations);
    repeat(
        iterations,
        i -> {
          network.fit(batch);
          ofNetwork.iterationDone(i);
        });

    SameDiff instance = SameDiffTrainings.line();
    Growth ofInstance = new Growth("SameDiff.fit(batch)", iterations);
    repeat(
        iterations,
        i -> {
          instance.fit(batch);
          ofInstance.iterationDone(i);
        });

    List<DataSet> batches = Collections.nCopies(iterations, batch);
    Growth withinFit = new Growth("SameDiff.fit(iterator)", iterations);
    SameDiffTrainings.line()
        .fit(
            new ListDataSetIterator<>(batches, 1),
            1,
            new SameDiffTrainings.Silent() {
              @Override
              public void iterationDone(SameDiff sd, At at, MultiDataSet data, Loss loss) {
                withinFit.iterationDone(at.iteration());
              }
            });
  }

  private static void repeat(int times, IntConsumer iteration) {
    for (int i = 0; i < times; i++) {
      iteration.accept(i);
    }
  }

  private static final class Growth {
    private final String what;
    private final int iterations;
    private long before;

    Growth(String what, int iterations) {
      this.what = what;
      this.iterations = iterations;
    }

    /**
     * @param iteration 0 for the first
     */
    void iterationDone(int iteration) {
      if (iteration == iterations / 3) {
        before = settledHeap();
      } else if (iteration == iterations - 1) {
        System.out.println("grown by " + (settledHeap() - before) + " in " + what);
      }
    }

    /** A thread of ND4J's forgets what belonged to an array some time after that is collected. */
    private static long settledHeap() {
      long least = Long.MAX_VALUE;
      for (int steady = 0; steady < 5; steady++) {
        System.gc();
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        if (used < least - (32 << 10)) {
          steady = 0;
        }
        least = Math.min(least, used);
        pause();
      }
      return least;
    }

    private static void pause() {
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
