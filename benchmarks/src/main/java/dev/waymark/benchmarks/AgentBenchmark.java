package dev.waymark.benchmarks;

import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.TrainingListener.BatchData;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import ai.djl.util.Progress;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The calls of a DJL training that the agent hooks again and again, each as small as can be: the
 * notification of the listeners, of which this program has none; the gradient of one weight, and
 * the optimizer's step on it; a pass over no data. Run once without the agent and once with it; the
 * difference is what the agent costs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AgentBenchmark {

  private final Dataset noData = new NoData();
  private Model model;
  private Trainer trainer;
  private NDArray weight;
  private BatchData batch;

  /** Trains a step by hand, from which on the agent reports it. */
  @Setup
  public void train() throws IOException, TranslateException {
    model = Model.newInstance("smallest");
    model.setBlock(Linear.builder().setUnits(1).optBias(false).build());
    trainer =
        model.newTrainer(
            new DefaultTrainingConfig(Loss.l2Loss())
                .optOptimizer(
                    Optimizer.sgd().setLearningRateTracker(Tracker.fixed(1e-9f)).build()));
    trainer.initialize(new Shape(1, 1));
    NDManager manager = trainer.getManager();
    NDArray one = manager.ones(new Shape(1, 1));
    weight = model.getBlock().getParameters().valueAt(0).getArray();
    iterateDataset();
    backward();
    step();
    Batch ones = new Batch(manager, new NDList(one), new NDList(one), 1, null, null, 1, 1000);
    Map<ai.djl.Device, NDList> none = new ConcurrentHashMap<>();
    batch = new BatchData(ones, none, none);
  }

  @TearDown
  public void close() {
    trainer.close();
    model.close();
  }

  @Benchmark
  public void notification() {
    trainer.notifyListeners(listener -> listener.onTrainingBatch(trainer, batch));
  }

  /** The collector, the loss and what frees them count as well: of a loss there is one gradient. */
  @Benchmark
  public void backward() {
    try (NDManager manager = trainer.getManager().newSubManager();
        GradientCollector collector = trainer.newGradientCollector()) {
      NDArray loss = weight.sum();
      loss.attach(manager);
      collector.backward(loss);
    }
  }

  @Benchmark
  public void step() {
    trainer.step();
  }

  @Benchmark
  public Iterable<Batch> iterateDataset() throws IOException, TranslateException {
    return trainer.iterateDataset(noData);
  }

  private static final class NoData implements Dataset {
    @Override
    public Iterable<Batch> getData(NDManager manager) {
      return List.of();
    }

    @Override
    public void prepare(Progress progress) {}
  }
}
