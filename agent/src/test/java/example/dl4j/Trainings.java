package example.dl4j;

import java.io.File;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.transferlearning.TransferLearning;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.InvocationType;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.adapter.MultiDataSetIteratorAdapter;
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
    ALL.put("cloned", Trainings::cloned);
    ALL.put("transferred", Trainings::transferred);
    ALL.put("cloned-graph", Trainings::clonedGraph);
    ALL.put("listeners-replaced-within", Trainings::listenersReplacedWithin);
    ALL.put("graph-listener-throws", Trainings::graphListenerThrows);
    ALL.put("bptt-listener-throws", Trainings::bpttListenerThrows);
    ALL.put("restored-graph", Trainings::restoredGraph);
    ALL.put("unknown-length", Trainings::unknownLength);
    ALL.put("unknown-length-throws", Trainings::unknownLengthThrows);
    ALL.put("unknown-length-throws-later", Trainings::unknownLengthThrowsLater);
    ALL.put("two-in-turn", Trainings::twoInTurn);
    ALL.put("scheduled", Trainings::scheduled);
    ALL.put("scheduled-batches", Trainings::scheduledBatches);
    ALL.put("scheduled-by-the-program", Trainings::scheduledByTheProgram);
    ALL.put("paced", Trainings::paced);
    ALL.put("slowly-evaluated", Trainings::slowlyEvaluated);
    ALL.putAll(EarlyStoppingTrainings.ALL);
    ALL.putAll(ParallelTrainings.ALL);
    ALL.putAll(SameDiffTrainings.ALL);
    ALL.putAll(EndedTrainings.ALL);
  }

  private Trainings() {}

  /** Runs the trainings that are named. */
  public static void main(String[] names) throws Exception {
    Training.runAll(ALL, names);
  }

  private static void fitEpochs() {
    MultiLayerNetwork network = Printed.by(Networks.network());
    network.fit(Data.points(), 5);
    Printed.parameters(network);
  }

  private static void fitOneEpochLoop() {
    MultiLayerNetwork network = Printed.by(Networks.network());
    for (int i = 0; i < 3; i++) {
      network.fit(Data.points());
    }
    Printed.parameters(network);
  }

  private static void fitEpochsLoop() {
    MultiLayerNetwork network = Printed.by(Networks.network());
    for (int i = 0; i < 3; i++) {
      network.fit(Data.points(), 2);
    }
    Printed.parameters(network);
  }

  private static void fitBatchLoop() {
    MultiLayerNetwork network = Printed.by(Networks.network());
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
    MultiLayerNetwork network = Printed.by(Networks.network(new Sgd(new MapSchedule(type, rates))));
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
    MultiLayerNetwork network = Printed.by(Networks.network(new Sgd(new FallingRate())));
    network.fit(Data.points(), 2);
    Printed.parameters(network);
  }

  private static void fitArrays() {
    MultiLayerNetwork network = Printed.by(Networks.network());
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
    MultiLayerNetwork network = Printed.by(Networks.recurrent());
    network.fit(Data.series(), 3);
    Printed.parameters(network);
  }

  private static void pretraining() {
    MultiLayerNetwork network = Printed.by(Networks.pretrainable());
    network.pretrain(Data.points(), 2);
    Printed.parameters(network);
  }

  /** Both are there before the first is trained. */
  private static void twoInTurn() {
    MultiLayerNetwork first = Networks.network();
    MultiLayerNetwork second = Printed.by(Networks.network(new Adam(0.01)));
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
    MultiLayerNetwork first = Printed.by(Networks.network());
    MultiLayerNetwork second = Networks.network(new Adam(0.01));
    for (DataSet batch : Data.batches()) {
      first.fit(batch);
      second.fit(batch);
    }
    Printed.parameters(first);
    Printed.parameters(second);
  }

  private static void listenerThrows() {
    MultiLayerNetwork network = Printed.by(Networks.network());
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
    MultiLayerNetwork network = Printed.by(Networks.recurrent());
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
    MultiLayerNetwork network = Printed.by(Networks.network());
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
    MultiLayerNetwork network = Printed.by(Networks.network());
    network.addListeners(new ThrowingAt(iteration));
    failing(() -> network.fit(new ExistingDataSetIterator(iterable()), 3), network);
  }

  private static Iterable<DataSet> iterable() {
    return Data.batches()::iterator;
  }

  private static void nan() {
    MultiLayerNetwork network = Printed.by(Networks.diverging(1e4));
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
    MultiLayerNetwork before = Printed.by(Networks.network());
    before.fit(Data.points(), 3);
    MultiLayerNetwork network = Printed.by(MultiLayerNetwork.load(saved(before), true));
    network.fit(Data.points(), 2);
    Printed.parameters(network);
  }

  /** In a file that goes when the process does. */
  private static File saved(Model model) throws IOException {
    File file = File.createTempFile("model", ".zip");
    file.deleteOnExit();
    ModelSerializer.writeModel(model, file, true);
    return file;
  }

  /** Restored after 60 epochs, and from then on at a pace of its own for 9.6 s. */
  private static void paced() throws Exception {
    MultiLayerNetwork before = Networks.network();
    before.fit(Data.points(), 60);
    MultiLayerNetwork network = MultiLayerNetwork.load(saved(before), true);
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
    ComputationGraph graph = ComputationGraph.load(saved(before), true);
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
    MultiLayerNetwork network = Printed.by(Networks.network());
    network.fit(new MultiDataSetIteratorAdapter(Data.points()), 2);
    Printed.parameters(network);
  }

  private static void layerOfArrays() {
    MultiLayerNetwork network = Printed.by(Networks.pretrainable());
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
    MultiLayerNetwork network = Printed.by(Networks.optimizedBy(algorithm));
    network.fit(Data.points(), 2);
    Printed.parameters(network);
  }

  /** A copy goes on where the original is, and the original where it was. */
  private static void cloned() {
    MultiLayerNetwork network = Printed.by(Networks.network());
    network.fit(Data.points(), 2);
    MultiLayerNetwork copy = Printed.by(network.clone());
    copy.fit(Data.points(), 3);
    Printed.parameters(copy);
  }

  /** A network that is made of another one, whose first layer it keeps as it is, counts from 0. */
  private static void transferred() {
    MultiLayerNetwork before = Printed.by(Networks.network());
    before.fit(Data.points(), 3);
    MultiLayerNetwork network =
        Printed.by(new TransferLearning.Builder(before).setFeatureExtractor(0).build());
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
}
