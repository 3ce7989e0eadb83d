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
 * agent and once with it; the difference is what the agent costs. And what the listener costs that
 * is registered by hand.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Dl4jBenchmark {
  private static final int BATCHES = 1000;

  private MultiLayerNetwork network;
  private DataSet batch;
  private DataSetIterator epoch;
  private ProgressListener listener;

  @Setup
  public void create() {
    network =
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
    batch = new DataSet(Nd4j.ones(1, 1), Nd4j.ones(1, 1).mul(3));
    epoch = new ExistingDataSetIterator(Collections.nCopies(BATCHES, batch));
    listener = ProgressListener.create();
    network.fit(batch);
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
  public void listenerByHand() {
    listener.iterationDone(network, 1, 0);
  }
}
