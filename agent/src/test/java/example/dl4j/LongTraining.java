package example.dl4j;

import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.function.Consumer;
import org.bytedeco.javacpp.Pointer;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.dataset.DataSet;

/**
 * Long trainings, which print how much memory has grown since their first third, on the heap and
 * off it. The heap has all its memory from the beginning, so what else the process has in memory
 * lies off the heap: all arrays do.
 */
public final class LongTraining {
  private static final DataSet BATCH = Data.batches().get(0);

  private LongTraining() {}

  /** Makes as many iterations of each kind as the argument says. */
  public static void main(String[] arguments) {
    int iterations = Integer.parseInt(arguments[0]);

    MultiLayerNetwork network = Networks.network();
    loop("network.fit(batch)", iterations, network::fit);
    ComputationGraph graph = Networks.graph();
    loop("graph.fit(batch)", iterations, graph::fit);
    SameDiff instance = SameDiffTrainings.line();
    loop("SameDiff.fit(batch)", iterations, instance::fit);

    Networks.network().fit(new Measured("network.fit(iterator)", iterations));
    SameDiffTrainings.line().fit(new Measured("SameDiff.fit(iterator)", iterations), 1);
    inParallel(new Measured("ParallelWrapper.fit(iterator)", iterations));
    early(new Measured("EarlyStoppingTrainer.fit()", iterations));
  }

  private static void loop(String what, int iterations, Consumer<DataSet> fit) {
    for (Measured batches = new Measured(what, iterations); batches.hasNext(); ) {
      fit.accept(batches.next());
    }
  }

  private static void inParallel(Measured batches) {
    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(Networks.network())
            .workers(2)
            .averagingFrequency(10)
            .prefetchBuffer(0)
            .build();
    wrapper.fit(batches);
    wrapper.shutdown();
  }

  private static void early(Measured batches) {
    new EarlyStoppingTrainer(
            new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
                .epochTerminationConditions(new MaxEpochsTerminationCondition(1))
                .scoreCalculator(new DataSetLossCalculator(Data.points(), true))
                .build(),
            Networks.network(),
            batches)
        .fit();
  }

  /**
   * The same batch again and again; measures when a third of them is given, and before the last.
   */
  private static final class Measured extends ExistingDataSetIterator {
    private static final long serialVersionUID = 1L;

    /** What is off the heap goes with what refers to it, so that it never piles up far. */
    private static final int BETWEEN_COLLECTIONS = 1_000;

    private final String what;
    private final int iterations;
    private int given;
    private long heapBefore;
    private long offHeapBefore;

    Measured(String what, int iterations) {
      super(Collections.nCopies(iterations, BATCH));
      this.what = what;
      this.iterations = iterations;
    }

    @Override
    public DataSet next() {
      given++;
      if (given == iterations / 3) {
        heapBefore = settledHeap();
        offHeapBefore = offHeap();
      } else if (given == iterations) {
        System.out.printf(
            "grown by %d on the heap and %d off it in %s%n",
            settledHeap() - heapBefore, offHeap() - offHeapBefore, what);
      } else if (given % BETWEEN_COLLECTIONS == 0) {
        System.gc();
      }
      return super.next();
    }

    /** On the thread that trains. */
    @Override
    public boolean asyncSupported() {
      return false;
    }

    private static long offHeap() {
      return Pointer.physicalBytes();
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
