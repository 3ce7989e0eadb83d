package dev.waymark.dl4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.AutoEncoder;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.schedule.MapSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** Three clouds of points, and the smallest networks that tell them apart. */
final class Points {
  static final int BATCHES = 6;

  /** Falls from 0.5 to 0.25 after two epochs. */
  private static final MapSchedule RATE =
      new MapSchedule.Builder(ScheduleType.EPOCH).add(0, 0.5).add(2, 0.25).build();

  private Points() {}

  static DataSetIterator batches() {
    return new ListDataSetIterator<>(examples(), 16);
  }

  static List<DataSet> examples() {
    Random random = new Random(7);
    List<DataSet> examples = new ArrayList<>();
    for (int i = 0; i < 16 * BATCHES; i++) {
      float[] features = new float[4];
      for (int j = 0; j < features.length; j++) {
        features[j] = (float) (random.nextGaussian() + (j == i % 3 ? 2 : 0));
      }
      float[] label = new float[3];
      label[i % 3] = 1;
      examples.add(
          new DataSet(
              Nd4j.createFromArray(new float[][] {features}),
              Nd4j.createFromArray(new float[][] {label})));
    }
    return examples;
  }

  private static NeuralNetConfiguration.Builder configuration() {
    return new NeuralNetConfiguration.Builder().seed(1).updater(new Sgd(RATE));
  }

  static MultiLayerNetwork network() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(configuration().list().layer(layer()).build());
    network.init();
    return network;
  }

  /** Has a layer for each of the updaters. */
  static MultiLayerNetwork network(IUpdater first, IUpdater second) {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            configuration()
                .list()
                .layer(new DenseLayer.Builder().nIn(4).nOut(4).updater(first).build())
                .layer(
                    new OutputLayer.Builder()
                        .nIn(4)
                        .nOut(3)
                        .activation(Activation.SOFTMAX)
                        .updater(second)
                        .build())
                .build());
    network.init();
    return network;
  }

  /** Has one layer to be pretrained. */
  static MultiLayerNetwork pretrainable() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            configuration()
                .list()
                .layer(new AutoEncoder.Builder().nIn(4).nOut(4).build())
                .layer(layer())
                .build());
    network.init();
    return network;
  }

  static ComputationGraph graph() {
    ComputationGraph graph =
        new ComputationGraph(
            configuration()
                .graphBuilder()
                .addInputs("points")
                .addLayer("kinds", layer(), "points")
                .setOutputs("kinds")
                .build());
    graph.init();
    return graph;
  }

  /** Its loss is one whose value no gradient needs. */
  static SameDiff sameDiff() {
    SameDiff instance = SameDiff.create();
    SDVariable kinds = instance.placeHolder("kinds", DataType.FLOAT, -1, 3);
    SDVariable points = instance.placeHolder("points", DataType.FLOAT, -1, 4);
    SDVariable weights = instance.var("weights", Nd4j.ones(DataType.FLOAT, 4, 3));
    instance.loss.softmaxCrossEntropy("entropy", kinds, points.mmul("scores", weights), null);
    instance.setLossVariables("entropy");
    instance.setTrainingConfig(
        new TrainingConfig.Builder()
            .updater(new Sgd(0.125))
            .dataSetFeatureMapping("points")
            .dataSetLabelMapping("kinds")
            .build());
    return instance;
  }

  private static OutputLayer layer() {
    return new OutputLayer.Builder().nIn(4).nOut(3).activation(Activation.SOFTMAX).build();
  }
}
