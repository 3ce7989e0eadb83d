package dev.waymark.samples.dl4j;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;

/** Trains on with the model that it saved at the end of its last session. */
final class IrisResume {
  private IrisResume() {}

  /**
   * Trains, and returns the part of the rows held out that the network gets right, 0 to 1.
   *
   * @param epochs in all, those of earlier sessions with them
   * @param models where the model is kept
   */
  static double train(int epochs, Path models) throws IOException {
    IrisData data = IrisData.load();
    Path saved = models.resolve("iris.zip");
    MultiLayerNetwork network = Files.exists(saved) ? load(saved) : create();
    int epochsDone = network.getEpochCount();
    System.out.println("Epochs done before: " + epochsDone);
    LastScore score = new LastScore();
    network.addListeners(score);

    if (epochs > epochsDone) {
      network.fit(data.trainingBatches(), epochs - epochsDone);
      Files.createDirectories(models);
      network.save(saved.toFile(), true);
    }

    System.out.println("Loss of the last batch: " + score.get());
    return IrisNetwork.accuracy(data.heldOut, network.output(data.heldOut.getFeatures()));
  }

  private static MultiLayerNetwork create() {
    MultiLayerNetwork network = new MultiLayerNetwork(IrisNetwork.layers());
    network.init();
    return network;
  }

  private static MultiLayerNetwork load(Path saved) throws IOException {
    return MultiLayerNetwork.load(saved.toFile(), true);
  }
}
