package dev.waymark.samples.dl4j;

import java.io.IOException;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/** A graph of layers, trained by two threads whose copies of it are averaged now and then. */
final class IrisGraph {
  private static final int WORKERS = 2;

  private IrisGraph() {}

  /** Trains, and returns the part of the rows held out that the network gets right, 0 to 1. */
  static double train(int epochs) throws IOException {
    IrisData data = IrisData.load();
    ComputationGraph network = new ComputationGraph(IrisNetwork.graph());
    network.init();
    LastScore score = new LastScore();
    network.addListeners(score);

    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(network)
            .workers(WORKERS)
            .prefetchBuffer(2 * WORKERS)
            .trainingMode(ParallelWrapper.TrainingMode.AVERAGING)
            .averagingFrequency(3)
            .build();
    DataSetIterator batches = data.trainingBatches();
    for (int epoch = 0; epoch < epochs; epoch++) {
      wrapper.fit(batches);
      batches.reset();
    }
    wrapper.shutdown();

    System.out.println("Loss of the last batch: " + score.get());
    return IrisNetwork.accuracy(data.heldOut, network.outputSingle(data.heldOut.getFeatures()));
  }
}
