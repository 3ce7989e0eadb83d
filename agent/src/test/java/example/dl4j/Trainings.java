package example.dl4j;

import java.io.File;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.scorecalc.ClassificationScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.BestScoreEpochTerminationCondition;
import org.deeplearning4j.earlystopping.termination.InvalidScoreIterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingGraphTrainer;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.transferlearning.TransferLearning;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.InvocationType;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.deeplearning4j.parallelism.EarlyStoppingParallelTrainer;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.adapter.MultiDataSetIteratorAdapter;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.schedule.ISchedule;
import org.nd4j.linalg.schedule.MapSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/**
 * Trainings that know nothing of Waymark, one after the other in one process; the arguments name
 * them.
 */
public final class Trainings {
  private static final Map<String, Training> ALL = new LinkedHashMap<>();

  static {
    ALL.put("fit-epochs", Trainings::fitEpochs);
    ALL.put("fit-one-epoch-loop", Trainings::fitOneEpochLoop);
    ALL.put("fit-epochs-loop", Trainings::fitEpochsLoop);
    ALL.put("fit-batch-loop", Trainings::fitBatchLoop);
    ALL.put("fit-arrays", Trainings::fitArrays);
    ALL.put("graph", Trainings::graph);
    ALL.put("truncated-bptt", Trainings::truncatedBptt);
    ALL.put("pretraining", Trainings::pretraining);
    ALL.put("early-by-epochs", Trainings::earlyByEpochs);
    ALL.put("early-by-score", Trainings::earlyByScore);
    ALL.put("early-by-nan", Trainings::earlyByNan);
    ALL.put("early-by-exception", Trainings::earlyByException);
    ALL.put("early-pretraining", Trainings::earlyPretraining);
    ALL.put("parallel", Trainings::parallel);
    ALL.put("two-at-once", Trainings::twoAtOnce);
    ALL.put("listener-throws", Trainings::listenerThrows);
    ALL.put("nan", Trainings::nan);
    ALL.put("listeners-replaced", Trainings::listenersReplaced);
    ALL.put("restored", Trainings::restored);
    ALL.put("evaluating-listener", Trainings::evaluatingListener);
    ALL.put("graph-pretraining", Trainings::graphPretraining);
    ALL.put("graph-of-multi-batches", Trainings::graphOfMultiBatches);
    ALL.put("multi-batches", Trainings::multiBatches);
    ALL.put("layer-of-arrays", Trainings::layerOfArrays);
    ALL.put("graph-layer", Trainings::graphLayer);
    ALL.put("graph-evaluated", Trainings::graphEvaluated);
    ALL.put("graph-bptt", Trainings::graphBptt);
    for (OptimizationAlgorithm algorithm : OptimizationAlgorithm.values()) {
      ALL.put(algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-'), () -> by(algorithm));
    }
    ALL.put("early-graph", Trainings::earlyGraph);
    ALL.put("cloned", Trainings::cloned);
    ALL.put("transferred", Trainings::transferred);
    ALL.put("cloned-graph", Trainings::clonedGraph);
    ALL.put("listeners-replaced-within", Trainings::listenersReplacedWithin);
    ALL.put("parallel-network", Trainings::parallelNetwork);
    ALL.put("parallel-stopped", Trainings::parallelStopped);
    ALL.put("parallel-fails", Trainings::parallelFails);
    ALL.put("two-threads", Trainings::twoThreads);
    ALL.put("graph-listener-throws", Trainings::graphListenerThrows);
    ALL.put("bptt-listener-throws", Trainings::bpttListenerThrows);
    ALL.put("restored-graph", Trainings::restoredGraph);
    ALL.put("shared-gradients", Trainings::sharedGradients);
    ALL.put("unknown-length", Trainings::unknownLength);
    ALL.put("unknown-length-throws", Trainings::unknownLengthThrows);
    ALL.put("unknown-length-throws-later", Trainings::unknownLengthThrowsLater);
    ALL.put("two-models-on-threads", Trainings::twoModelsOnThreads);
    ALL.put("two-in-turn", Trainings::twoInTurn);
    ALL.put("scheduled", Trainings::scheduled);
    ALL.put("scheduled-batches", Trainings::scheduledBatches);
    ALL.put("scheduled-by-the-program", Trainings::scheduledByTheProgram);
    ALL.put("paced", Trainings::paced);
    ALL.put("slowly-evaluated", Trainings::slowlyEvaluated);
    ALL.put("parallel-printing", Trainings::parallelPrinting);
    ALL.put("parallel-listener-throws", Trainings::parallelListenerThrows);
    ALL.put("early-parallel", Trainings::earlyParallel);
    ALL.put("dies", Trainings::dies);
    ALL.put("exits", Trainings::exits);
    ALL.put("exits-in-batch", Trainings::exitsInBatch);
    ALL.put("is-terminated", Trainings::isTerminated);
    ALL.put("is-terminated-afterwards", Trainings::isTerminatedAfterwards);
    ALL.putAll(SameDiffTrainings.ALL);
  }

  private Trainings() {}

  /** Runs the trainings that are named. */
  public static void main(String[] names) throws Exception {
    Training.runAll(ALL, names);
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

  private static void fitEpochsLoop() {
    MultiLayerNetwork network = printing(Networks.network());
    for (int i = 0; i < 3; i++) {
      network.fit(Data.points(), 2);
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

  private static void scheduled() {
    MultiLayerNetwork network = printingRates(ScheduleType.EPOCH, Map.of(0, 0.125, 3, 0.0625));
    network.fit(Data.points(), 5);
    Printed.parameters(network);
  }

  private static void scheduledBatches() {
    MultiLayerNetwork network = printingRates(ScheduleType.ITERATION, Map.of(0, 0.125, 5, 0.0625));
    Data.batches().forEach(network::fit);
    Printed.parameters(network);
  }

  private static MultiLayerNetwork printingRates(ScheduleType type, Map<Integer, Double> rates) {
    MultiLayerNetwork network = printing(Networks.network(new Sgd(new MapSchedule(type, rates))));
    network.addListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            Numbers.print("rate", network.getLearningRate(0));
          }
        });
    return network;
  }

  /** Its rate falls with each call, so one call more would make it another training. */
  private static void scheduledByTheProgram() {
    MultiLayerNetwork network = printing(Networks.network(new Sgd(new FallingRate())));
    network.fit(Data.points(), 2);
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

  private static void earlyPretraining() {
    MultiLayerNetwork network = printing(Networks.pretrainable());
    print(
        trainer(
                network,
                new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
                    .epochTerminationConditions(new MaxEpochsTerminationCondition(2)))
            .pretrain(),
        network);
  }

  private static void early(
      MultiLayerNetwork network,
      EarlyStoppingConfiguration.Builder<MultiLayerNetwork> conditions,
      int epochs) {
    if (epochs > 0) {
      conditions.epochTerminationConditions(new MaxEpochsTerminationCondition(epochs));
    }
    print(trainer(network, conditions).fit(), network);
  }

  private static EarlyStoppingTrainer trainer(
      MultiLayerNetwork network,
      EarlyStoppingConfiguration.Builder<MultiLayerNetwork> conditions) {
    return new EarlyStoppingTrainer(
        conditions.scoreCalculator(new DataSetLossCalculator(Data.points(), true)).build(),
        network,
        Data.points());
  }

  private static void print(EarlyStoppingResult<?> result, Model network) {
    System.out.println("reason " + result.getTerminationReason());
    result.getScoreVsEpoch().values().forEach(score -> Numbers.print("score", score));
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

  private static void parallelPrinting() {
    ParallelWrapper wrapper = wrapper(printing(Networks.network()), 2);
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

  /** Once only: a second fit of the same wrapper never ends (1.0.0-M2.1). */
  private static void sharedGradients() {
    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(Networks.network())
            .workers(2)
            .trainingMode(ParallelWrapper.TrainingMode.SHARED_GRADIENTS)
            .build();
    wrapper.fit(Data.points());
    wrapper.shutdown();
  }

  /** Each worker makes an iteration, then the first makes one more and the second's throws. */
  private static void parallelListenerThrows() {
    MultiLayerNetwork network = Networks.network();
    AtomicInteger ofSecond = new AtomicInteger();
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            boolean second = Thread.currentThread().getName().endsWith(" 1");
            if (second && ofSecond.incrementAndGet() == 2) {
              throw new IllegalStateException("thrown by the second");
            }
          }
        });
    try {
      wrapper(network, 0).fit(Data.points());
    } catch (RuntimeException e) {
      System.out.println("caught");
    }
  }

  private static void earlyParallel() {
    var result =
        new EarlyStoppingParallelTrainer<>(
                new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
                    .epochTerminationConditions(new MaxEpochsTerminationCondition(3))
                    .scoreCalculator(new DataSetLossCalculator(Data.points(), true))
                    .build(),
                Networks.network(),
                Data.points(),
                null,
                2,
                2,
                1)
            .fit();
    result.getScoreVsEpoch().values().forEach(score -> Numbers.print("score", score));
  }

  /** The second thread waits within its fit for that of the first. */
  private static void twoThreads() throws Exception {
    MultiLayerNetwork network = printing(Networks.network());
    Thread second = new Thread(() -> network.fit(Data.points()));
    network.addListeners(
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
    Printed.parameters(network);
  }

  /** The second is trained from beginning to end while the first is in the midst of its fit. */
  private static void twoModelsOnThreads() {
    MultiLayerNetwork second = Networks.network(new Adam(0.01));
    Thread other = new Thread(() -> second.fit(Data.points(), 4));
    MultiLayerNetwork first = printing(Networks.network());
    first.addListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            if (now == 7) {
              other.start();
              join(other);
            }
          }
        });
    first.fit(Data.points(), 3);
    Printed.parameters(first);
    Printed.parameters(second);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Both are there before the first is trained. */
  private static void twoInTurn() {
    MultiLayerNetwork first = Networks.network();
    MultiLayerNetwork second = printing(Networks.network(new Adam(0.01)));
    for (int i = 0; i < 3; i++) {
      first.fit(Data.points());
    }
    for (int i = 0; i < 4; i++) {
      second.fit(Data.points());
    }
    Printed.parameters(first);
    Printed.parameters(second);
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
    failing(() -> network.fit(Data.points(), 5), network);
  }

  private static void graphListenerThrows() {
    ComputationGraph graph = Networks.graph();
    graph.setListeners(new Printed(), new ThrowingAt(8));
    failing(() -> graph.fit(Data.points(), 5), graph);
  }

  /** In the second of three pieces of a batch of the second epoch. */
  private static void bpttListenerThrows() {
    MultiLayerNetwork network = printing(Networks.recurrent());
    network.addListeners(new ThrowingAt(7));
    failing(() -> network.fit(Data.series(), 3), network);
  }

  private static void failing(Runnable fit, Model network) {
    try {
      fit.run();
    } catch (IllegalStateException e) {
      System.out.println("caught " + e.getMessage());
    }
    Printed.parameters(network);
  }

  /** Deeplearning4j can't be asked how long this iterator is. */
  private static void unknownLength() {
    MultiLayerNetwork network = printing(Networks.network());
    network.fit(new ExistingDataSetIterator(iterable()), 3);
    Printed.parameters(network);
  }

  private static void unknownLengthThrows() {
    unknownLengthThrowing(3);
  }

  private static void unknownLengthThrowsLater() {
    unknownLengthThrowing(8);
  }

  private static void unknownLengthThrowing(int iteration) {
    MultiLayerNetwork network = printing(Networks.network());
    network.addListeners(new ThrowingAt(iteration));
    failing(() -> network.fit(new ExistingDataSetIterator(iterable()), 3), network);
  }

  private static Iterable<DataSet> iterable() {
    return Data.batches()::iterator;
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

  /** Restored after 60 epochs, and from then on at a pace of its own for 9.6 s. */
  private static void paced() throws Exception {
    MultiLayerNetwork before = Networks.network();
    before.fit(Data.points(), 60);
    File file = File.createTempFile("network", ".zip");
    before.save(file, true);
    MultiLayerNetwork network = MultiLayerNetwork.load(file, true);
    if (!file.delete()) {
      throw new IllegalStateException("a file stays behind");
    }
    network.fit(new PacedIterator(80), 20);
  }

  /** Between its two epochs it is evaluated for 3.6 s. */
  private static void slowlyEvaluated() {
    MultiLayerNetwork network = Networks.network();
    network.setListeners(
        new EvaluativeListener(new PacedIterator(600), 2, InvocationType.EPOCH_END));
    network.fit(Data.points(), 2);
  }

  private static void restoredGraph() throws Exception {
    ComputationGraph before = Networks.graph();
    before.setListeners(new Printed());
    before.fit(Data.points(), 3);
    File file = File.createTempFile("graph", ".zip");
    before.save(file, true);
    ComputationGraph graph = ComputationGraph.load(file, true);
    if (!file.delete()) {
      throw new IllegalStateException("a file stays behind");
    }
    graph.setListeners(new Printed());
    graph.fit(Data.points(), 2);
    Printed.parameters(graph);
  }

  private static void evaluatingListener() {
    MultiLayerNetwork network = Networks.network();
    EvaluativeListener evaluating =
        new EvaluativeListener(Data.points(), 1, InvocationType.EPOCH_END);
    network.setListeners(new Printed(), evaluating);
    network.fit(Data.points(), 3);
    Numbers.print("accuracy", ((Evaluation) evaluating.getEvaluations()[0]).accuracy());
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

  private static void multiBatches() {
    MultiLayerNetwork network = printing(Networks.network());
    network.fit(new MultiDataSetIteratorAdapter(Data.points()), 2);
    Printed.parameters(network);
  }

  private static void layerOfArrays() {
    MultiLayerNetwork network = printing(Networks.pretrainable());
    for (DataSet batch : Data.batches()) {
      network.pretrainLayer(0, batch.getFeatures());
    }
    Printed.parameters(network);
  }

  private static void graphLayer() {
    ComputationGraph graph = Networks.pretrainableGraph();
    graph.setListeners(new Printed());
    graph.pretrainLayer("first", Data.points());
    Printed.parameters(graph);
  }

  /** For each output by itself, between epochs. */
  private static void graphEvaluated() {
    ComputationGraph graph = Networks.graph();
    graph.setListeners(new Printed());
    for (int i = 0; i < 2; i++) {
      graph.fit(Data.points());
      Evaluation evaluation = new Evaluation();
      graph.evaluate(Data.points(), Map.of(0, new Evaluation[] {evaluation}));
      Numbers.print("own", evaluation.accuracy());
    }
    Printed.parameters(graph);
  }

  private static void graphBptt() {
    ComputationGraph graph = Networks.recurrentGraph();
    graph.setListeners(new Printed());
    graph.fit(Data.series(), 3);
    Printed.parameters(graph);
  }

  private static void by(OptimizationAlgorithm algorithm) {
    MultiLayerNetwork network = printing(Networks.optimizedBy(algorithm));
    network.fit(Data.points(), 2);
    Printed.parameters(network);
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
    result.getScoreVsEpoch().values().forEach(score -> Numbers.print("accuracy", score));
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
            Numbers.print("loss", model.score());
            if (now == 8) {
              network.setListeners(new Printed());
            }
          }
        });
    network.fit(Data.points(), 3);
    Printed.parameters(network);
  }

  private static void dies() {
    MultiLayerNetwork network = printing(Networks.network());
    for (DataSet batch : Data.batches().subList(0, 4)) {
      network.fit(batch);
    }
    throw new IllegalStateException("out of main");
  }

  private static void exits() {
    endingAt(8, () -> System.exit(3)).fit(Data.points(), 5);
  }

  private static void exitsInBatch() {
    Data.batches().forEach(endingAt(3, () -> System.exit(3))::fit);
  }

  private static void isTerminated() {
    endingAt(8, Trainings::terminate).fit(Data.points(), 5);
  }

  private static void isTerminatedAfterwards() {
    MultiLayerNetwork network = printing(Networks.network());
    network.fit(Data.points(), 2);
    terminate();
  }

  /** Ends this process as Kubernetes ends a pod: a signal comes, and the program goes on. */
  private static void terminate() {
    try {
      new ProcessBuilder("kill", "-TERM", Long.toString(ProcessHandle.current().pid())).start();
      Thread.currentThread().join();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MultiLayerNetwork endingAt(int iteration, Runnable end) {
    MultiLayerNetwork network = printing(Networks.network());
    network.addListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            if (now == iteration) {
              end.run();
            }
          }
        });
    return network;
  }

  private static final class FallingRate implements ISchedule {
    private static final long serialVersionUID = 1L;
    private static final AtomicInteger CALLS = new AtomicInteger();

    @Override
    public double valueAt(int iteration, int epoch) {
      return Networks.LEARNING_RATE / CALLS.incrementAndGet();
    }

    @Override
    public ISchedule clone() {
      return this;
    }
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
}
