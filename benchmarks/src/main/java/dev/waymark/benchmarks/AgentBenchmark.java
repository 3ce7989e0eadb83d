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
import ai.djl.training.listener.TrainingListener.BatchData;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
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
 * The two calls of a DJL batch that the agent hooks: the notification of the listeners, of which
 * this program has none, and the smallest optimizer step there is, on one weight. Run once without
 * the agent and once with it; the difference is what the agent costs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AgentBenchmark {

  private Model model;
  private Trainer trainer;
  private BatchData batch;

  @Setup
  public void train() {
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
    try (GradientCollector collector = trainer.newGradientCollector()) {
      NDList prediction = trainer.forward(new NDList(one));
      collector.backward(trainer.getLoss().evaluate(new NDList(one.mul(3)), prediction));
    }
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

  @Benchmark
  public void step() {
    trainer.step();
  }
}
