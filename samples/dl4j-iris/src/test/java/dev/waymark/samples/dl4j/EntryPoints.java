package dev.waymark.samples.dl4j;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.AutoEncoder;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.InvocationType;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** The ways to train with Deeplearning4j that the sample doesn't show, each as short as can be. */
public final class EntryPoints {
  private final Iterations iterations = new Iterations();
  private final int epochs;
  private final IrisData data = IrisData.load();
  private final DataSetIterator batches = data.trainingBatches();

  private EntryPoints(int epochs) throws IOException {
    this.epochs = epochs;
  }

  /** Trains in the way that the first argument names, for as many epochs as the second says. */
  public static void main(String[] args) throws IOException {
    EntryPoints entryPoints = new EntryPoints(Integer.parseInt(args[1]));
    entryPoints.train(args[0]);
    System.out.println("Iterations: " + entryPoints.iterations.count);
    System.out.println("Loss of the last batch: " + entryPoints.iterations.score);
  }

  private void train(String how) {
    switch (how) {
      case "iterator":
        iterator(network());
        break;
      case "batches":
        batches(network());
        break;
      case "arrays":
        arrays(network());
        break;
      case "graph":
        graph();
        break;
      case "evaluated":
        evaluated(network());
        break;
      case "sequences":
        sequences();
        break;
      case "pretrain":
        pretrain();
        break;
      default:
        throw new IllegalArgumentException(how);
    }
  }

  private void iterator(MultiLayerNetwork network) {
    for (int epoch = 0; epoch < epochs; epoch++) {
      network.fit(batches);
    }
  }

  private void batches(MultiLayerNetwork network) {
    for (int epoch = 0; epoch < epochs; epoch++) {
      for (batches.reset(); batches.hasNext(); ) {
        network.fit(batches.next());
      }
    }
  }

  private void arrays(MultiLayerNetwork network) {
    for (int epoch = 0; epoch < epochs; epoch++) {
      for (batches.reset(); batches.hasNext(); ) {
        DataSet batch = batches.next();
        network.fit(batch.getFeatures(), batch.getLabels());
      }
    }
  }

  private void graph() {
    ComputationGraph network = new ComputationGraph(IrisNetwork.graph());
    network.init();
    network.addListeners(iterations);
    network.fit(batches, epochs);
  }

  private void evaluated(MultiLayerNetwork network) {
    network.addListeners(
        new EvaluativeListener(data.validationBatches(), 1, InvocationType.EPOCH_END));
    network.fit(batches, epochs);
  }

  /** Sequences of six steps, trained two steps at a time: three iterations a batch. */
  private void sequences() {
    MultiLayerConfiguration configuration =
        new NeuralNetConfiguration.Builder()
            .seed(IrisNetwork.SEED)
            .updater(new Adam(1e-3))
            .list()
            .layer(new LSTM.Builder().nIn(2).nOut(8).build())
            .layer(
                new RnnOutputLayer.Builder(LossFunction.MSE)
                    .activation(Activation.IDENTITY)
                    .nIn(8)
                    .nOut(2)
                    .build())
            .backpropType(BackpropType.TruncatedBPTT)
            .tBPTTLength(2)
            .build();
    List<DataSet> sequences = new ArrayList<>();
    Nd4j.getRandom().setSeed(IrisNetwork.SEED);
    for (int i = 0; i < 30; i++) {
      sequences.add(
          new DataSet(Nd4j.rand(DataType.FLOAT, 1, 2, 6), Nd4j.rand(DataType.FLOAT, 1, 2, 6)));
    }
    listenedTo(configuration).fit(new ListDataSetIterator<>(sequences, 3), epochs);
  }

  private void pretrain() {
    MultiLayerConfiguration configuration =
        new NeuralNetConfiguration.Builder()
            .seed(IrisNetwork.SEED)
            .updater(new Adam(1e-3))
            .list()
            .layer(new AutoEncoder.Builder().nIn(IrisData.MEASURES).nOut(8).build())
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .activation(Activation.SOFTMAX)
                    .nIn(8)
                    .nOut(IrisData.SPECIES)
                    .build())
            .build();
    listenedTo(configuration).pretrain(batches, epochs);
  }

  private MultiLayerNetwork network() {
    return listenedTo(IrisNetwork.layers());
  }

  private MultiLayerNetwork listenedTo(MultiLayerConfiguration configuration) {
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    network.addListeners(iterations);
    return network;
  }

  private static final class Iterations extends BaseTrainingListener {
    private int count;
    private double score;

    @Override
    public void iterationDone(Model model, int iteration, int epoch) {
      count++;
      score = model.score();
    }
  }
}
