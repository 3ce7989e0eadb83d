package example.dl4j;

import java.io.File;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.scorecalc.ClassificationScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.BestScoreEpochTerminationCondition;
import org.deeplearning4j.earlystopping.termination.InvalidScoreIterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingGraphTrainer;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.transferlearning.TransferLearning;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.InvocationType;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.BaseListener;
import org.nd4j.autodiff.listeners.ListenerResponse;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.listeners.records.LossCurve;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.adapter.MultiDataSetIteratorAdapter;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Sgd;

/**
 * Trainings that know nothing of Waymark, one after the other in one process; the arguments name
 * them.
 */
public final class Trainings {
  private static final Map<String, Training> ALL = new LinkedHashMap<>();

  static {
    ALL.put("fit-epochs", Trainings::fitEpochs);
    ALL.put("fit-one-epoch-loop", Trainings::fitOneEpochLoop);
    ALL.put("fit-batch-loop", Trainings::fitBatchLoop);
    ALL.put("fit-arrays", Trainings::fitArrays);
    ALL.put("graph", Trainings::graph);
    ALL.put("truncated-bptt", Trainings::truncatedBptt);
    ALL.put("pretraining", Trainings::pretraining);
    ALL.put("early-by-epochs", Trainings::earlyByEpochs);
    ALL.put("early-by-score", Trainings::earlyByScore);
    ALL.put("early-by-nan", Trainings::earlyByNan);
    ALL.put("early-by-exception", Trainings::earlyByException);
    ALL.put("parallel", Trainings::parallel);
    ALL.put("samediff", Trainings::sameDiff);
    ALL.put("samediff-validation", Trainings::sameDiffWithValidation);
    ALL.put("samediff-stopped", Trainings::sameDiffStopped);
    ALL.put("two-at-once", Trainings::twoAtOnce);
    ALL.put("listener-throws", Trainings::listenerThrows);
    ALL.put("nan", Trainings::nan);
    ALL.put("listeners-replaced", Trainings::listenersReplaced);
    ALL.put("restored", Trainings::restored);
    ALL.put("evaluating-listener", Trainings::evaluatingListener);
    ALL.put("graph-pretraining", Trainings::graphPretraining);
    ALL.put("graph-of-multi-batches", Trainings::graphOfMultiBatches);
    ALL.put("early-graph", Trainings::earlyGraph);
    ALL.put("cloned", Trainings::cloned);
    ALL.put("transferred", Trainings::transferred);
    ALL.put("cloned-graph", Trainings::clonedGraph);
    ALL.put("listeners-replaced-within", Trainings::listenersReplacedWithin);
    ALL.put("parallel-network", Trainings::parallelNetwork);
    ALL.put("parallel-stopped", Trainings::parallelStopped);
    ALL.put("parallel-fails", Trainings::parallelFails);
    ALL.put("two-threads", Trainings::twoThreads);
    ALL.put("batches-of-samediff", Trainings::batchesOfSameDiff);
    ALL.put("thrown-in-samediff", Trainings::thrownInSameDiff);
    ALL.put("zero-loss-at-first", Trainings::zeroLossAtFirst);
    ALL.put("losses-of-samediff", Trainings::lossesOfSameDiff);
    ALL.put("dies", Trainings::dies);
    ALL.put("exits", Trainings::exits);
    ALL.put("exits-in-batch", Trainings::exitsInBatch);
  }

  private Trainings() {}

  @FunctionalInterface
  interface Training {
    void run() throws Exception;
  }

  /** Runs the trainings that are named. */
  public static void main(String[] names) throws Exception {
    Nd4j.getRandom().setSeed(1);
    for (String name : names) {
      System.out.println("training " + name);
      ALL.get(name).run();
    }
  }

  private static MultiLayerNetwork printing(MultiLayerNetwork network) {
    network.setListeners(new Printed());
    return network;
  }

  private static void fitEpochs() {
    MultiLayerNetwork network = printing(Networks.network());
    network.fit(Data.points(), 5);
    Printed.parameters(network);
  }

  private static void fitOneEpochLoop() {
    MultiLayerNetwork network = printing(Networks.network());
    for (int i = 0; i < 3; i++) {
      network.fit(Data.points());
    }
    Printed.parameters(network);
  }

  private static void fitBatchLoop() {
    MultiLayerNetwork network = printing(Networks.network());
    for (int i = 0; i < 2; i++) {
      Data.batches().forEach(network::fit);
    }
    Printed.parameters(network);
  }

  private static void fitArrays() {
    MultiLayerNetwork network = printing(Networks.network());
    for (DataSet batch : Data.batches()) {
      network.fit(batch.getFeatures(), batch.getLabels());
    }
    Printed.parameters(network);
  }

  private static void graph() {
    ComputationGraph graph = Networks.graph();
    graph.setListeners(new Printed());
    graph.fit(Data.points(), 4);
    Printed.parameters(graph);
  }

  private static void truncatedBptt() {
    MultiLayerNetwork network = printing(Networks.recurrent());
    network.fit(Data.series(), 3);
    Printed.parameters(network);
  }

  private static void pretraining() {
    MultiLayerNetwork network = printing(Networks.pretrainable());
    network.pretrain(Data.points(), 2);
    Printed.parameters(network);
  }

  private static void earlyByEpochs() {
    MultiLayerNetwork network = printing(Networks.network());
    early(network, new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>(), 4);
  }

  private static void earlyByScore() {
    MultiLayerNetwork network = printing(Networks.network());
    early(
        network,
        new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
            .epochTerminationConditions(
                new MaxEpochsTerminationCondition(50), new BestScoreEpochTerminationCondition(10)),
        0);
  }

  private static void earlyByNan() {
    MultiLayerNetwork network = printing(Networks.diverging(30));
    early(
        network,
        new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
            .iterationTerminationConditions(new InvalidScoreIterationTerminationCondition()),
        20);
  }

  private static void earlyByException() {
    MultiLayerNetwork network = printing(Networks.network());
    network.addListeners(new ThrowingAt(9));
    early(network, new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>(), 4);
  }

  private static void early(
      MultiLayerNetwork network,
      EarlyStoppingConfiguration.Builder<MultiLayerNetwork> conditions,
      int epochs) {
    if (epochs > 0) {
      conditions.epochTerminationConditions(new MaxEpochsTerminationCondition(epochs));
    }
    var result =
        new EarlyStoppingTrainer(
                conditions.scoreCalculator(new DataSetLossCalculator(Data.points(), true)).build(),
                network,
                Data.points())
            .fit();
    System.out.println("reason " + result.getTerminationReason());
    result.getScoreVsEpoch().values().forEach(score -> Printed.number("score", score));
    Printed.parameters(network);
  }

  private static void parallel() {
    ParallelWrapper wrapper = wrapper(Networks.graph(), 2);
    for (int i = 0; i < 3; i++) {
      wrapper.fit(Data.points());
    }
    wrapper.shutdown();
  }

  private static ParallelWrapper wrapper(Model network, int prefetched) {
    return new ParallelWrapper.Builder<>(network)
        .workers(2)
        .averagingFrequency(1)
        .prefetchBuffer(prefetched)
        .build();
  }

  private static void parallelNetwork() {
    ParallelWrapper wrapper = wrapper(Networks.network(), 2);
    for (int i = 0; i < 2; i++) {
      wrapper.fit(Data.points());
    }
    wrapper.shutdown();
  }

  /** One epoch, and of the next one as much as both workers do at a time. */
  private static void parallelStopped() {
    ParallelWrapper wrapper = wrapper(Networks.network(), 0);
    wrapper.fit(Data.points());
    wrapper.fit(
        new ListDataSetIterator<>(Data.batches(), 1) {
          private static final long serialVersionUID = 1L;

          @Override
          public synchronized DataSet next() {
            wrapper.stopFit();
            return super.next();
          }
        });
    wrapper.shutdown();
  }

  /** Each worker makes an iteration, then the first makes one more and the second fails. */
  private static void parallelFails() {
    List<DataSet> batches = Data.batches();
    batches.set(3, new DataSet(Nd4j.zeros(16, 5), Nd4j.zeros(16, 3)));
    ParallelWrapper wrapper = wrapper(Networks.network(), 0);
    try {
      wrapper.fit(new ListDataSetIterator<>(batches, 1));
    } catch (RuntimeException e) {
      System.out.println("caught");
    }
  }

  /** The second thread waits within its fit for that of the first. */
  private static void twoThreads() throws Exception {
    MultiLayerNetwork network = Networks.network();
    Thread second = new Thread(() -> network.fit(Data.points()));
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            if (now == 0) {
              second.start();
              while (second.isAlive() && second.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
              }
            }
          }
        });
    network.fit(Data.points());
    second.join();
    System.out.println("iterations " + network.getIterationCount());
  }

  private static SameDiff line(TrainingConfig.Builder training) {
    SameDiff sd = SameDiff.create();
    SDVariable points = sd.placeHolder("points", DataType.FLOAT, -1, 4);
    SDVariable kinds = sd.placeHolder("kinds", DataType.FLOAT, -1, 3);
    SDVariable weights =
        sd.var(
            "weights",
            Nd4j.createFromArray(
                new float[][] {
                  {.1f, .2f, .3f}, {.4f, -.1f, -.2f}, {-.3f, -.4f, .5f}, {0, .6f, -.5f}
                }));
    SDVariable logits = points.mmul("logits", weights);
    sd.nn.softmax("shares", logits);
    sd.loss.softmaxCrossEntropy("entropy", kinds, logits, null);
    sd.setLossVariables("entropy");
    sd.setTrainingConfig(
        training
            .updater(new Sgd(Networks.LEARNING_RATE))
            .dataSetFeatureMapping("points")
            .dataSetLabelMapping("kinds")
            .build());
    return sd;
  }

  private static void print(SameDiff sd) {
    System.out.println(
        "parameters " + Arrays.deepHashCode(sd.getVariable("weights").getArr().toFloatMatrix()));
  }

  /** What the last iteration of so many epochs has for a loss, which fit itself doesn't say. */
  private static void lossesOfSameDiff() {
    for (int epochs : new int[] {2, 4, 5}) {
      SameDiff sd = line(new TrainingConfig.Builder());
      sd.fit(Data.points(), epochs - 1);
      List<DataSet> batches = Data.batches();
      batches.subList(0, Data.BATCHES - 1).forEach(sd::fit);
      DataSet last = batches.get(Data.BATCHES - 1);
      double loss =
          sd.output(Map.of("points", last.getFeatures(), "kinds", last.getLabels()), "entropy")
              .get("entropy")
              .getDouble(0);
      Printed.number(epochs + " epochs:", loss);
    }
  }

  private static void sameDiff() {
    SameDiff sd = line(new TrainingConfig.Builder());
    sd.fit(Data.points(), 5, new PrintedLoss());
    print(sd);
  }

  private static void sameDiffWithValidation() {
    SameDiff sd =
        line(new TrainingConfig.Builder().validationEvaluation("shares", 0, new Evaluation()));
    var history = sd.fit(Data.points(), 4, Data.points(), 2, new PrintedLoss());
    history
        .validationEval(Evaluation.Metric.ACCURACY)
        .forEach(accuracy -> Printed.number("accuracy", accuracy));
    print(sd);
  }

  private static void sameDiffStopped() {
    SameDiff sd = line(new TrainingConfig.Builder());
    sd.fit(Data.points(), 9, new StoppingAfter(2));
    print(sd);
  }

  private static void twoAtOnce() {
    MultiLayerNetwork first = printing(Networks.network());
    MultiLayerNetwork second = Networks.network(new Adam(0.01));
    for (DataSet batch : Data.batches()) {
      first.fit(batch);
      second.fit(batch);
    }
    Printed.parameters(first);
    Printed.parameters(second);
  }

  private static void listenerThrows() {
    MultiLayerNetwork network = printing(Networks.network());
    network.addListeners(new ThrowingAt(8));
    try {
      network.fit(Data.points(), 5);
    } catch (IllegalStateException e) {
      System.out.println("caught " + e.getMessage());
    }
    Printed.parameters(network);
  }

  private static void nan() {
    MultiLayerNetwork network = printing(Networks.diverging(1e4));
    network.fit(Data.points(), 2);
    Printed.parameters(network);
  }

  private static void listenersReplaced() {
    MultiLayerNetwork network = Networks.network();
    for (int i = 0; i < 3; i++) {
      network.setListeners(List.of(new Printed()));
      network.fit(Data.points());
    }
    Printed.parameters(network);
  }

  private static void restored() throws Exception {
    MultiLayerNetwork before = printing(Networks.network());
    before.fit(Data.points(), 3);
    File file = File.createTempFile("network", ".zip");
    before.save(file, true);
    MultiLayerNetwork network = printing(MultiLayerNetwork.load(file, true));
    if (!file.delete()) {
      throw new IllegalStateException("a file stays behind");
    }
    network.fit(Data.points(), 2);
    Printed.parameters(network);
  }

  private static void evaluatingListener() {
    MultiLayerNetwork network = Networks.network();
    EvaluativeListener evaluating =
        new EvaluativeListener(Data.points(), 1, InvocationType.EPOCH_END);
    network.setListeners(new Printed(), evaluating);
    network.fit(Data.points(), 3);
    Printed.number("accuracy", ((Evaluation) evaluating.getEvaluations()[0]).accuracy());
    Printed.parameters(network);
  }

  private static void graphPretraining() {
    ComputationGraph graph = Networks.pretrainableGraph();
    graph.setListeners(new Printed());
    graph.pretrain(Data.points(), 3);
    Printed.parameters(graph);
  }

  private static void graphOfMultiBatches() {
    ComputationGraph graph = Networks.graph();
    graph.setListeners(new Printed());
    graph.fit(new MultiDataSetIteratorAdapter(Data.points()), 2);
    Printed.parameters(graph);
  }

  private static void earlyGraph() {
    ComputationGraph graph = Networks.graph();
    graph.setListeners(new Printed());
    var result =
        new EarlyStoppingGraphTrainer(
                new EarlyStoppingConfiguration.Builder<ComputationGraph>()
                    .epochTerminationConditions(new MaxEpochsTerminationCondition(3))
                    .evaluateEveryNEpochs(2)
                    .scoreCalculator(
                        new ClassificationScoreCalculator(
                            Evaluation.Metric.ACCURACY, Data.points()))
                    .build(),
                graph,
                Data.points())
            .fit();
    result.getScoreVsEpoch().values().forEach(score -> Printed.number("accuracy", score));
    Printed.parameters(graph);
  }

  /** A copy goes on where the original is, and the original where it was. */
  private static void cloned() {
    MultiLayerNetwork network = printing(Networks.network());
    network.fit(Data.points(), 2);
    MultiLayerNetwork copy = printing(network.clone());
    copy.fit(Data.points(), 3);
    Printed.parameters(copy);
  }

  /** A network that is made of another one, whose first layer it keeps as it is, counts from 0. */
  private static void transferred() {
    MultiLayerNetwork before = printing(Networks.network());
    before.fit(Data.points(), 3);
    MultiLayerNetwork network =
        printing(new TransferLearning.Builder(before).setFeatureExtractor(0).build());
    network.fit(Data.points(), 2);
    Printed.parameters(network);
  }

  /** Unlike a network's copy, a graph's counts from 0. */
  private static void clonedGraph() {
    ComputationGraph graph = Networks.graph();
    graph.fit(Data.points(), 2);
    ComputationGraph copy = graph.clone();
    copy.setListeners(new Printed());
    copy.fit(Data.points(), 3);
    Printed.parameters(copy);
  }

  private static void listenersReplacedWithin() {
    MultiLayerNetwork network = Networks.network();
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            Printed.number("loss", model.score());
            if (now == 8) {
              network.setListeners(new Printed());
            }
          }
        });
    network.fit(Data.points(), 3);
    Printed.parameters(network);
  }

  private static void batchesOfSameDiff() {
    SameDiff sd = line(new TrainingConfig.Builder());
    for (DataSet batch : Data.batches()) {
      sd.fit(batch, new PrintedLoss());
    }
    print(sd);
  }

  private static void thrownInSameDiff() {
    SameDiff sd = line(new TrainingConfig.Builder());
    try {
      sd.fit(
          Data.points(),
          5,
          new PrintedLoss() {
            @Override
            public void iterationDone(SameDiff instance, At at, MultiDataSet data, Loss loss) {
              super.iterationDone(instance, at, data, loss);
              if (at.iteration() == 8) {
                throw new IllegalStateException("thrown at 8");
              }
            }
          });
    } catch (IllegalStateException e) {
      System.out.println("caught " + e.getMessage());
    }
    print(sd);
  }

  /** Of two losses the gradients need the first, and of the second only what it is made of. */
  private static void zeroLossAtFirst() {
    SameDiff sd = SameDiff.create();
    SDVariable points = sd.placeHolder("points", DataType.FLOAT, -1, 4);
    sd.placeHolder("kinds", DataType.FLOAT, -1, 3);
    SDVariable weights = sd.var("weights", Nd4j.ones(DataType.FLOAT, 4, 1));
    points.mmul(weights).mean("mean").mul("product", weights.sum("sum"));
    sd.setLossVariables("mean", "product");
    sd.setTrainingConfig(
        new TrainingConfig.Builder()
            .updater(new Sgd(Networks.LEARNING_RATE))
            .dataSetFeatureMapping("points")
            .dataSetLabelMapping("kinds")
            .build());
    List<DataSet> batches = Data.batches();
    batches.set(0, new DataSet(Nd4j.zeros(DataType.FLOAT, 16, 4), batches.get(0).getLabels()));
    sd.fit(new ListDataSetIterator<>(batches, 1), 1, new PrintedLosses());
    print(sd);
  }

  private static void dies() {
    MultiLayerNetwork network = printing(Networks.network());
    for (DataSet batch : Data.batches().subList(0, 4)) {
      network.fit(batch);
    }
    throw new IllegalStateException("out of main");
  }

  private static void exits() {
    exitingAt(8).fit(Data.points(), 5);
  }

  private static void exitsInBatch() {
    Data.batches().forEach(exitingAt(3)::fit);
  }

  private static MultiLayerNetwork exitingAt(int iteration) {
    MultiLayerNetwork network = printing(Networks.network());
    network.addListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            if (now == iteration) {
              System.exit(3);
            }
          }
        });
    return network;
  }

  /** A listener with a defect. */
  private static final class ThrowingAt extends BaseTrainingListener {
    private final int iteration;

    ThrowingAt(int iteration) {
      this.iteration = iteration;
    }

    @Override
    public void iterationDone(Model model, int now, int epoch) {
      if (now == iteration) {
        throw new IllegalStateException("thrown at " + now);
      }
    }
  }

  /** Prints what SameDiff says. */
  private static class PrintedLoss extends BaseListener {
    @Override
    public boolean isActive(Operation operation) {
      return operation == Operation.TRAINING;
    }

    @Override
    public void iterationDone(SameDiff sd, At at, MultiDataSet data, Loss loss) {
      Printed.number("told", loss.totalLoss());
    }
  }

  /** Of a mean and its product with the sum of the weights, which is told as 0.0. */
  private static final class PrintedLosses extends PrintedLoss {
    private double sum;

    @Override
    public void iterationStart(SameDiff sd, At at, MultiDataSet data, long millis) {
      sum = sd.getVariable("weights").getArr().sumNumber().doubleValue();
    }

    @Override
    public void iterationDone(SameDiff sd, At at, MultiDataSet data, Loss loss) {
      super.iterationDone(sd, at, data, loss);
      Printed.number("loss", loss.totalLoss() + loss.lossValues()[0] * sum);
    }
  }

  private static final class StoppingAfter extends PrintedLoss {
    private final int epochs;

    StoppingAfter(int epochs) {
      this.epochs = epochs;
    }

    @Override
    public ListenerResponse epochEnd(SameDiff sd, At at, LossCurve curve, long millis) {
      return at.epoch() + 1 >= epochs ? ListenerResponse.STOP : ListenerResponse.CONTINUE;
    }
  }
}
