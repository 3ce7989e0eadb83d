package dev.waymark.benchmarks;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** The smallest networks that there are in Deeplearning4j, and a batch for them. */
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
}
