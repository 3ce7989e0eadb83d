package dev.waymark.samples.dl4j;

import java.io.IOException;
import java.util.Map;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.adapter.SingletonDataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.weightinit.impl.XavierInitScheme;

/** The network written as formulas, with a validation after each tenth epoch. */
final class IrisSameDiff {
  private static final int EPOCHS_PER_VALIDATION = 10;

  private IrisSameDiff() {}

  /** Trains, and returns the part of the rows held out that the network gets right, 0 to 1. */
  static double train(int epochs) throws IOException {
    Nd4j.getRandom().setSeed(IrisNetwork.SEED);
    IrisData data = IrisData.load();
    SameDiff network = network();
    network.setTrainingConfig(
        new TrainingConfig.Builder()
            .updater(new Adam(IrisNetwork.learningRate()))
            .dataSetFeatureMapping("measures")
            .dataSetLabelMapping("species")
            .validationEvaluation("predicted", 0, new Evaluation(IrisData.SPECIES))
            .build());
    network
        .fit()
        .train(data.trainingBatches(), epochs)
        .validate(data.validationBatches(), EPOCHS_PER_VALIDATION)
        .exec();

    // The losses that SameDiff hands to listeners and keeps in its History are 0.0 (1.0.0-M2.1).
    Map<String, INDArray> trained =
        Map.of("measures", data.training.getFeatures(), "species", data.training.getLabels());
    System.out.println(
        "Loss on the rows trained with: " + network.outputSingle(trained, "loss").getDouble(0));

    Evaluation evaluation = new Evaluation(IrisData.SPECIES);
    network.evaluate(new SingletonDataSetIterator(data.heldOut), "predicted", evaluation);
    return evaluation.accuracy();
  }

  static SameDiff network() {
    SameDiff sd = SameDiff.create();
    SDVariable measures = sd.placeHolder("measures", DataType.FLOAT, -1, IrisData.MEASURES);
    SDVariable species = sd.placeHolder("species", DataType.FLOAT, -1, IrisData.SPECIES);
    SDVariable first = layer(sd, "first", measures, IrisData.MEASURES, IrisNetwork.HIDDEN);
    SDVariable second =
        layer(sd, "second", sd.nn.relu(first, 0), IrisNetwork.HIDDEN, IrisNetwork.HIDDEN);
    SDVariable third =
        layer(sd, "third", sd.nn.relu(second, 0), IrisNetwork.HIDDEN, IrisData.SPECIES);
    sd.nn.softmax("predicted", third);
    sd.setLossVariables(sd.loss.softmaxCrossEntropy("loss", species, third, null));
    return sd;
  }

  private static SDVariable layer(SameDiff sd, String name, SDVariable input, int in, int out) {
    SDVariable weights =
        sd.var(name + "Weights", new XavierInitScheme('c', in, out), DataType.FLOAT, in, out);
    SDVariable bias = sd.var(name + "Bias", Nd4j.zeros(1, out));
    return input.mmul(weights).add(bias);
  }
}
