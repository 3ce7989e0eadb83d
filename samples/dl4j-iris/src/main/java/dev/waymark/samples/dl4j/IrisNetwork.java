package dev.waymark.samples.dl4j;

import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ISchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** The networks that the programs train, how their learning rate goes, and what they are worth. */
final class IrisNetwork {
  static final long SEED = 42;

  /** Far more than three species of iris need: the work should take its time. */
  static final int HIDDEN = 128;

  private IrisNetwork() {}

  /** Two hidden layers, one after the other. */
  static MultiLayerConfiguration layers() {
    return common()
        .list()
        .layer(new DenseLayer.Builder().nIn(IrisData.MEASURES).nOut(HIDDEN).build())
        .layer(new DenseLayer.Builder().nIn(HIDDEN).nOut(HIDDEN).build())
        .layer(output(HIDDEN))
        .build();
  }

  /** Two hidden layers side by side. */
  static ComputationGraphConfiguration graph() {
    return common()
        .graphBuilder()
        .addInputs("measures")
        .addLayer("left", hidden(Activation.RELU), "measures")
        .addLayer("right", hidden(Activation.TANH), "measures")
        .addVertex("both", new MergeVertex(), "left", "right")
        .addLayer("species", output(2 * HIDDEN), "both")
        .setOutputs("species")
        .build();
  }

  private static NeuralNetConfiguration.Builder common() {
    return new NeuralNetConfiguration.Builder()
        .seed(SEED)
        .updater(new Adam(learningRate()))
        .activation(Activation.RELU);
  }

  private static DenseLayer hidden(Activation activation) {
    return new DenseLayer.Builder()
        .nIn(IrisData.MEASURES)
        .nOut(HIDDEN)
        .activation(activation)
        .build();
  }

  private static OutputLayer output(int in) {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nIn(in)
        .nOut(IrisData.SPECIES)
        .activation(Activation.SOFTMAX)
        .build();
  }

  /** Falls a little with each epoch. */
  static ISchedule learningRate() {
    return new ExponentialSchedule(ScheduleType.EPOCH, 1e-4, 0.999);
  }

  /** The part of the rows that were predicted right, 0 to 1. */
  static double accuracy(DataSet rows, INDArray predicted) {
    Evaluation evaluation = new Evaluation(IrisData.SPECIES);
    evaluation.eval(rows.getLabels(), predicted);
    return evaluation.accuracy();
  }
}
