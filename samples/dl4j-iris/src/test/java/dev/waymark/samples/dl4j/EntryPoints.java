package dev.waymark.samples.dl4j;

import dev.waymark.dl4j.ProgressListener;
import dev.waymark.dl4j.SameDiffProgressListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingGraphTrainer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
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
import org.deeplearning4j.parallelism.EarlyStoppingParallelTrainer;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.BaseListener;
import org.nd4j.autodiff.listeners.Listener;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** The ways to train with Deeplearning4j that the sample doesn't show, each as short as can be. */
public final class EntryPoints {
  /** What a line begins with that names what comes next. */
  static final String NEXT = "Entry point";

  private static final int WORKERS = 2;

  private final Iterations iterations = new Iterations();
  private final int epochs;
  private final IrisData data = IrisData.load();
  private final DataSetIterator batches = data.trainingBatches();

  private EntryPoints(int epochs) throws IOException {
    this.epochs = epochs;
  }

  /**
   * Trains for as many epochs as the first argument says, in the ways that the others name, one
   * after the other.
   */
  public static void main(String[] args) throws IOException {
    for (String how : Arrays.asList(args).subList(1, args.length)) {
      System.out.println(NEXT + ": " + how);
      EntryPoints entryPoints = new EntryPoints(Integer.parseInt(args[0]));
      entryPoints.train(how);
      entryPoints.iterations.print();
    }
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
        graph(IrisNetwork.graph()).fit(batches, epochs);
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
      case "pretrain-graph":
        pretrainGraph();
        break;
      case "early-graph":
        earlyGraph();
        break;
      case "early-parallel":
        earlyParallel();
        break;
      case "samediff":
        sameDiff(iterations.ofSameDiff());
        break;
      case "samediff-by-hand":
        sameDiff(
            iterations.ofSameDiff(),
            SameDiffProgressListener.builder().totalEpochs(epochs).build());
        break;
      case "batches-by-hand":
        batches(byHand(network()));
        break;
      case "parallel-by-hand":
        parallelByHand();
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
    network(configuration).fit(new ListDataSetIterator<>(sequences, 3), epochs);
  }

  private void pretrain() {
    MultiLayerConfiguration configuration =
        new NeuralNetConfiguration.Builder()
            .seed(IrisNetwork.SEED)
            .updater(new Adam(1e-3))
            .list()
            .layer(encoder(IrisData.MEASURES))
            .layer(species())
            .build();
    network(configuration).pretrain(batches, epochs);
  }

  private void pretrainGraph() {
    ComputationGraphConfiguration configuration =
        new NeuralNetConfiguration.Builder()
            .seed(IrisNetwork.SEED)
            .updater(new Adam(1e-3))
            .graphBuilder()
            .addInputs("measures")
            .addLayer("first", encoder(IrisData.MEASURES), "measures")
            .addLayer("second", encoder(8), "first")
            .addLayer("species", species(), "second")
            .setOutputs("species")
            .build();
    graph(configuration).pretrain(batches, epochs);
  }

  private static AutoEncoder encoder(int in) {
    return new AutoEncoder.Builder().nIn(in).nOut(8).build();
  }

  private static OutputLayer species() {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .activation(Activation.SOFTMAX)
        .nIn(8)
        .nOut(IrisData.SPECIES)
        .build();
  }

  private void earlyGraph() {
    new EarlyStoppingGraphTrainer(stopping(), graph(IrisNetwork.graph()), batches).fit();
  }

  private void earlyParallel() {
    new EarlyStoppingParallelTrainer<ComputationGraph>(
            stopping(), graph(IrisNetwork.graph()), batches, null, WORKERS, 2 * WORKERS, 1)
        .fit();
    iterations.areOfSeveralWorkers();
  }

  private EarlyStoppingConfiguration<ComputationGraph> stopping() {
    return new EarlyStoppingConfiguration.Builder<ComputationGraph>()
        .epochTerminationConditions(new MaxEpochsTerminationCondition(epochs))
        .scoreCalculator(new DataSetLossCalculator(data.validationBatches(), true))
        .build();
  }

  private static MultiLayerNetwork byHand(MultiLayerNetwork network) {
    network.addListeners(ProgressListener.create());
    return network;
  }

  private void parallelByHand() {
    ComputationGraph network = graph(IrisNetwork.graph());
    network.addListeners(ProgressListener.create());
    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(network).workers(WORKERS).prefetchBuffer(2 * WORKERS).build();
    for (int epoch = 0; epoch < epochs; epoch++) {
      wrapper.fit(batches);
    }
    wrapper.shutdown();
    iterations.areOfSeveralWorkers();
  }

  private void sameDiff(Listener... listeners) {
    Nd4j.getRandom().setSeed(IrisNetwork.SEED);
    SameDiff network = IrisSameDiff.network();
    network.setTrainingConfig(
        new TrainingConfig.Builder()
            .updater(new Adam(IrisNetwork.learningRate()))
            .dataSetFeatureMapping("measures")
            .dataSetLabelMapping("species")
            .build());
    network.fit(batches, epochs, listeners);
  }

  private MultiLayerNetwork network() {
    return network(IrisNetwork.layers());
  }

  private MultiLayerNetwork network(MultiLayerConfiguration configuration) {
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    network.addListeners(iterations);
    return network;
  }

  private ComputationGraph graph(ComputationGraphConfiguration configuration) {
    ComputationGraph network = new ComputationGraph(configuration);
    network.init();
    network.addListeners(iterations);
    return network;
  }

  /** What the program itself knows of its iterations. */
  private static final class Iterations extends BaseTrainingListener {
    private final AtomicInteger count = new AtomicInteger();
    private volatile double score = Double.NaN;

    @Override
    public void iterationDone(Model model, int iteration, int epoch) {
      count.incrementAndGet();
      score = model.score();
    }

    /** SameDiff doesn't tell its listeners the loss (1.0.0-M2.1). */
    Listener ofSameDiff() {
      return new BaseListener() {
        @Override
        public boolean isActive(Operation operation) {
          return operation == Operation.TRAINING;
        }

        @Override
        public void iterationDone(SameDiff sd, At at, MultiDataSet data, Loss loss) {
          count.incrementAndGet();
        }
      };
    }

    /** Which of them was the last, and what came of it, is chance. */
    void areOfSeveralWorkers() {
      score = Double.NaN;
    }

    void print() {
      System.out.println("Iterations: " + count);
      if (!Double.isNaN(score)) {
        System.out.println("Loss of the last batch: " + score);
      }
    }
  }
}
