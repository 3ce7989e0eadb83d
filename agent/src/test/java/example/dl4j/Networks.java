package example.dl4j;

import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.AutoEncoder;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Small networks, the same in every run. */
final class Networks {
  static final double LEARNING_RATE = 0.125;

  private Networks() {}

  static MultiLayerNetwork network() {
    return network(new Sgd(LEARNING_RATE));
  }

  static MultiLayerNetwork network(IUpdater updater) {
    return network(settings(updater));
  }

  /** Works its steps out otherwise than by the gradient alone. */
  static MultiLayerNetwork optimizedBy(OptimizationAlgorithm algorithm) {
    return network(settings(new Sgd(LEARNING_RATE)).optimizationAlgo(algorithm));
  }

  private static MultiLayerNetwork network(NeuralNetConfiguration.Builder settings) {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            settings
                .list()
                .layer(new DenseLayer.Builder().nIn(4).nOut(8).activation(Activation.TANH).build())
                .layer(output(8))
                .build());
    network.init();
    return network;
  }

  private static NeuralNetConfiguration.Builder settings(IUpdater updater) {
    return new NeuralNetConfiguration.Builder().seed(1).updater(updater);
  }

  /** Its numbers grow out of hand, the sooner the higher the rate. */
  static MultiLayerNetwork diverging(double rate) {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            settings(new Sgd(rate))
                .list()
                .layer(
                    new OutputLayer.Builder(LossFunction.MSE)
                        .nIn(4)
                        .nOut(3)
                        .activation(Activation.IDENTITY)
                        .build())
                .build());
    network.init();
    return network;
  }

  static ComputationGraph graph() {
    ComputationGraph graph =
        new ComputationGraph(
            settings(new Sgd(LEARNING_RATE))
                .graphBuilder()
                .addInputs("points")
                .addLayer(
                    "hidden",
                    new DenseLayer.Builder().nIn(4).nOut(8).activation(Activation.TANH).build(),
                    "points")
                .addLayer("kinds", output(8), "hidden")
                .setOutputs("kinds")
                .build());
    graph.init();
    return graph;
  }

  private static OutputLayer output(int inputs) {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nIn(inputs)
        .nOut(3)
        .activation(Activation.SOFTMAX)
        .build();
  }

  /** Cuts its series into pieces of four steps. */
  static MultiLayerNetwork recurrent() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            settings(new Sgd(LEARNING_RATE))
                .list()
                .layer(new LSTM.Builder().nIn(2).nOut(4).build())
                .layer(recurrentOutput())
                .backpropType(BackpropType.TruncatedBPTT)
                .tBPTTLength(4)
                .build());
    network.init();
    return network;
  }

  /** The same. */
  static ComputationGraph recurrentGraph() {
    ComputationGraph graph =
        new ComputationGraph(
            settings(new Sgd(LEARNING_RATE))
                .graphBuilder()
                .addInputs("series")
                .setInputTypes(InputType.recurrent(2))
                .addLayer("hidden", new LSTM.Builder().nIn(2).nOut(4).build(), "series")
                .addLayer("kinds", recurrentOutput(), "hidden")
                .setOutputs("kinds")
                .backpropType(BackpropType.TruncatedBPTT)
                .tBPTTLength(4)
                .build());
    graph.init();
    return graph;
  }

  private static RnnOutputLayer recurrentOutput() {
    return new RnnOutputLayer.Builder(LossFunction.MCXENT)
        .nIn(4)
        .nOut(2)
        .activation(Activation.SOFTMAX)
        .build();
  }

  /** Has one layer to be pretrained; with a second one 1.0.0-M2.1 fails. */
  static MultiLayerNetwork pretrainable() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            settings(new Sgd(LEARNING_RATE))
                .list()
                .layer(new AutoEncoder.Builder().nIn(4).nOut(6).build())
                .layer(output(6))
                .build());
    network.init();
    return network;
  }

  /** Has two layers to be pretrained. */
  static ComputationGraph pretrainableGraph() {
    ComputationGraph graph =
        new ComputationGraph(
            settings(new Sgd(LEARNING_RATE))
                .graphBuilder()
                .addInputs("points")
                .addLayer("first", new AutoEncoder.Builder().nIn(4).nOut(6).build(), "points")
                .addLayer("second", new AutoEncoder.Builder().nIn(6).nOut(5).build(), "first")
                .addLayer("kinds", output(5), "second")
                .setOutputs("kinds")
                .build());
    graph.init();
    return graph;
  }
}
