package dev.waymark.benchmarks;

import dev.waymark.dl4j.ProgressListener;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The smallest network there is, with one weight, in Deeplearning4j: an iteration within an epoch,
 * and a fit of one batch, which the agent hooks at its entry and exit too. Run once without the
 * agent and once with it; the difference is what the agent costs. The same with the listener that
 * is registered by hand, for which the agent stands aside: without the agent, the difference to an
 * iteration that nobody listens to is what the listener costs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Dl4jBenchmark {
  private static final int BATCHES = 1000;

  private MultiLayerNetwork network;
  private MultiLayerNetwork listenedTo;
  private DataSet batch;
  private DataSetIterator epoch;

  @Setup
  public void create() {
    network = newNetwork();
    listenedTo = newNetwork();
    listenedTo.addListeners(ProgressListener.create());
    batch = new DataSet(Nd4j.ones(1, 1), Nd4j.ones(1, 1).mul(3));
    epoch = new ExistingDataSetIterator(Collections.nCopies(BATCHES, batch));
  }

  private static MultiLayerNetwork newNetwork() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(1)
                .updater(new Sgd(1e-9))
                .list()
                .layer(
                    new OutputLayer.Builder(LossFunction.MSE)
                        .nIn(1)
                        .nOut(1)
                        .hasBias(false)
                        .activation(Activation.IDENTITY)
                        .build())
                .build());
    network.init();
    return network;
  }

  @Benchmark
  @OperationsPerInvocation(BATCHES)
  public double iterationOfAnEpoch() {
    network.fit(epoch);
    return network.score();
  }

  @Benchmark
  public double fitOfOneBatch() {
    network.fit(batch);
    return network.score();
  }

  @Benchmark
  @OperationsPerInvocation(BATCHES)
  public double iterationOfAnEpochByHand() {
    listenedTo.fit(epoch);
    return listenedTo.score();
  }

  @Benchmark
  public double fitOfOneBatchByHand() {
    listenedTo.fit(batch);
    return listenedTo.score();
  }
}
