package dev.waymark.samples.dl4j;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.saver.LocalFileModelSaver;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.termination.ScoreImprovementEpochTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;

/** A network of layers; early stopping trains it and keeps the best model in a folder. */
final class IrisEarlyStopping {
  private IrisEarlyStopping() {}

  /**
   * Trains, and returns the part of the rows held out that the best model gets right, 0 to 1.
   *
   * @param epochs as many at most
   * @param patience gives up after so many epochs that brought nothing better
   * @param models where the best model is kept
   */
  static double train(int epochs, int patience, Path models) throws IOException {
    IrisData data = IrisData.load();
    MultiLayerNetwork network = new MultiLayerNetwork(IrisNetwork.layers());
    network.init();
    LastScore score = new LastScore();
    network.addListeners(score);

    EarlyStoppingConfiguration<MultiLayerNetwork> stopping =
        new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
            .epochTerminationConditions(
                new MaxEpochsTerminationCondition(epochs),
                new ScoreImprovementEpochTerminationCondition(patience))
            .scoreCalculator(new DataSetLossCalculator(data.validationBatches(), true))
            .modelSaver(new LocalFileModelSaver(Files.createDirectories(models).toFile()))
            .build();
    EarlyStoppingResult<MultiLayerNetwork> result =
        new EarlyStoppingTrainer(stopping, network, data.trainingBatches()).fit();
    System.out.println("Loss of the last batch: " + score.get());
    System.out.println("Epochs: " + result.getTotalEpochs());
    System.out.println("Best epoch: " + result.getBestModelEpoch());

    MultiLayerNetwork best = result.getBestModel();
    return IrisNetwork.accuracy(data.heldOut, best.output(data.heldOut.getFeatures()));
  }
}
