package dev.waymark.samples.dl4j;

import dev.waymark.dl4j.ProgressListener;
import java.io.IOException;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;

/** A plain fit that reports by hand. */
final class IrisListener {
  private IrisListener() {}

  /** Trains, and returns the part of the rows held out that the network gets right, 0 to 1. */
  static double train(int epochs) throws IOException {
    IrisData data = IrisData.load();
    MultiLayerNetwork network = new MultiLayerNetwork(IrisNetwork.layers());
    network.init();
    LastScore score = new LastScore();
    network.addListeners(score);
    network.addListeners(ProgressListener.builder().totalEpochs(epochs).build());

    network.fit(data.trainingBatches(), epochs);

    System.out.println("Loss of the last batch: " + score.get());
    return IrisNetwork.accuracy(data.heldOut, network.output(data.heldOut.getFeatures()));
  }
}
