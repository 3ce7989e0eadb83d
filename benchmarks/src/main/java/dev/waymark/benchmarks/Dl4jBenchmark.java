package dev.waymark.benchmarks;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.solvers.BaseOptimizer;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The calls of a Deeplearning4j training that the agent hooks again and again, without what a
 * training does around them: its iterations take hundreds of microseconds, in which tens of
 * nanoseconds can't be seen. Run once without the agent and once with it; the difference is what
 * the agent costs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Dl4jBenchmark {
  private static final int ITERATIONS = 10_000;

  private final MultiLayerNetwork network = SmallestDl4j.networkWithoutWeights();
  private final DataSet batch = SmallestDl4j.batch();
  private DataSetIterator iterations;

  /** From the first fit on the agent reports the network. */
  @Setup
  public void fitOnce() {
    iterations = new WithinFit(this::countIterations);
    fitOfOneBatch();
  }

  private void countIterations() {
    for (int i = 0; i < ITERATIONS; i++) {
      BaseOptimizer.incrementIterationCount(network, 1);
    }
  }

  /** The end of an iteration, which is where the agent hears of it. */
  @Benchmark
  @OperationsPerInvocation(ITERATIONS)
  public int iteration() {
    network.fit(iterations);
    return network.getIterationCount();
  }

  /** What a loop of {@code fit(DataSet)} pays besides: the entry and the exit of each fit. */
  @Benchmark
  public void fitOfOneBatch() {
    network.fit(batch);
  }

  /** Gives no batches: when fit asks for the first one, it does something else within that fit. */
  private static final class WithinFit implements DataSetIterator {
    private static final long serialVersionUID = 1L;

    private final transient Runnable action;
    private boolean asked;

    WithinFit(Runnable action) {
      this.action = action;
    }

    /** Fit asks once more after the first answer, and then no more (1.0.0-M2.1). */
    @Override
    public boolean hasNext() {
      asked = !asked;
      if (asked) {
        action.run();
      }
      return false;
    }

    /** On the thread that trains, not on one that prefetches. */
    @Override
    public boolean asyncSupported() {
      return false;
    }

    @Override
    public boolean resetSupported() {
      return false;
    }

    @Override
    public DataSet next() {
      throw new UnsupportedOperationException();
    }

    @Override
    public DataSet next(int num) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void reset() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int inputColumns() {
      return 1;
    }

    @Override
    public int totalOutcomes() {
      return 1;
    }

    @Override
    public int batch() {
      return 1;
    }

    @Override
    public void setPreProcessor(DataSetPreProcessor preProcessor) {
      throw new UnsupportedOperationException();
    }

    @Override
    public DataSetPreProcessor getPreProcessor() {
      return null;
    }

    @Override
    public List<String> getLabels() {
      return null;
    }
  }
}
