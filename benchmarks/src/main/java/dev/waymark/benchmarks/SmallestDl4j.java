package dev.waymark.benchmarks;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** The smallest networks that there are in Deeplearning4j and SameDiff, and batches for them. */
final class SmallestDl4j {

  private SmallestDl4j() {}

  /** Has one weight. */
  static MultiLayerNetwork network() {
    return network(
        new OutputLayer.Builder(LossFunction.MSE)
            .nIn(1)
            .nOut(1)
            .hasBias(false)
            .activation(Activation.IDENTITY)
            .build());
  }

  /** Has no weight, so a fit of one batch returns at once (1.0.0-M2.1). */
  static MultiLayerNetwork networkWithoutWeights() {
    return network(new LossLayer.Builder(LossFunction.MSE).activation(Activation.IDENTITY).build());
  }

  private static MultiLayerNetwork network(Layer layer) {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(1)
                .updater(new Sgd(1e-9))
                .list()
                .layer(layer)
                .build());
    network.init();
    return network;
  }

  static DataSet batch() {
    return new DataSet(Nd4j.ones(1, 1), Nd4j.ones(1, 1).mul(3));
  }

  /** Has four weights, and a loss that SameDiff prunes. */
  static SameDiff sameDiff() {
    SameDiff sameDiff = SameDiff.create();
    SDVariable labels = sameDiff.placeHolder("labels", DataType.FLOAT, -1, 2);
    SDVariable features = sameDiff.placeHolder("features", DataType.FLOAT, -1, 2);
    SDVariable weight = sameDiff.var("weight", Nd4j.ones(DataType.FLOAT, 2, 2));
    sameDiff.loss.softmaxCrossEntropy("loss", labels, features.mmul("scores", weight), null);
    sameDiff.setLossVariables("loss");
    sameDiff.setTrainingConfig(
        new TrainingConfig.Builder()
            .updater(new Sgd(1e-9))
            .dataSetFeatureMapping("features")
            .dataSetLabelMapping("labels")
            .build());
    return sameDiff;
  }

  static DataSet batchOfSameDiff() {
    return new DataSet(Nd4j.ones(1, 2), Nd4j.ones(1, 2));
  }
}
