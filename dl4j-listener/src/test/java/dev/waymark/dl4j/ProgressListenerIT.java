package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.InvocationType;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.NoOp;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.schedule.ISchedule;

/** Real trainings with the listener registered by hand. */
class ProgressListenerIT {
  private static final int BATCHES = Points.BATCHES;

  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @Test
  void allEpochsDoneAreACompletedRun() {
    MultiLayerNetwork network = Points.network();
    network.addListeners(ProgressListener.builder().totalEpochs(4).build());
    network.fit(Points.batches(), 4);

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.percent()).isEqualTo(100);
    assertThat(end.number("current_step")).isEqualTo(4 * BATCHES);
    assertThat(end.number("total_steps")).isEqualTo(4 * BATCHES);
    assertThat(end.number("current_epoch")).isEqualTo(4);
    assertThat(end.number("learning_rate")).as("by the schedule").isEqualTo(0.25);
    assertThat(end.number("loss")).isCloseTo(network.score(), within(1e-6));
  }

  @Test
  void fewerEpochsThanPlannedAreStoppedEarly() {
    MultiLayerNetwork network = Points.network();
    network.addListeners(
        ProgressListener.builder().totalEpochs(4).batchesPerEpoch(BATCHES).build());
    network.fit(Points.batches(), 1);

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("stopped_early");
    assertThat(end.percent()).isEqualTo(25);
    assertThat(end.number("learning_rate")).isEqualTo(0.5);
  }

  @Test
  void anExceptionThatTheProgramCatchesIsTheEndOfTheRunOnceItTrainsAgain() {
    AtomicBoolean thrown = new AtomicBoolean();
    MultiLayerNetwork network = Points.network();
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int iteration, int epoch) {
            if (iteration == 8 && !thrown.getAndSet(true)) {
              throw new IllegalStateException("thrown once");
            }
          }
        },
        ProgressListener.builder().totalEpochs(4).build());
    assertThatThrownBy(() -> network.fit(Points.batches(), 4)).hasMessage("thrown once");
    network.fit(Points.batches(), 4);

    Status broken = reports.lastWord();
    assertThat(broken.state()).isEqualTo("stopped_early");
    assertThat(broken.number("current_step")).isEqualTo(8);
    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_step")).isEqualTo(4 * BATCHES);
  }

  @Test
  void withoutAPlanWhatIsDoneIsCompleted() {
    ComputationGraph graph = Points.graph();
    graph.addListeners(ProgressListener.create());
    for (int i = 0; i < 3; i++) {
      graph.fit(Points.batches());
    }

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_epoch")).isEqualTo(3);
    assertThat(end.number("current_step")).isEqualTo(3 * BATCHES);
    assertThat(end.metric("total_epochs")).isNull();
  }

  @Test
  void batchesWithoutEpochsAreCounted() {
    MultiLayerNetwork network = Points.network();
    network.addListeners(ProgressListener.create());
    for (DataSet example : Points.examples().subList(0, 6)) {
      network.fit(example);
    }
    network.setLearningRate(0.0625);
    network.fit(Points.examples().get(6));

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_step")).isEqualTo(7);
    assertThat(end.number("learning_rate")).isEqualTo(0.0625);
    assertThat(end.metric("current_epoch")).isNull();
  }

  static Stream<Arguments> updaters() {
    return Stream.of(
        Arguments.of("fixed", new Sgd(0.5), "0.5"),
        Arguments.of("none", new NoOp(), "0.25"),
        Arguments.of("the program's own", new Sgd(new OwnSchedule()), null));
  }

  @ParameterizedTest(name = "{0}: {2}, where the second layer has 0.25")
  @MethodSource("updaters")
  void theRateIsThatOfTheFirstLayerThatHasOne(String how, IUpdater updater, String rate) {
    MultiLayerNetwork network = Points.network(updater, new Sgd(0.25));
    network.addListeners(ProgressListener.create());
    network.fit(Points.batches());

    assertThat(endByAnother().metric("learning_rate")).isEqualTo(rate);
  }

  @Test
  void aRestoredNetworkGoesOnFromWhereItWas(@TempDir Path folder) throws Exception {
    MultiLayerNetwork before = Points.network();
    before.fit(Points.batches(), 3);
    File file = folder.resolve("network.zip").toFile();
    before.save(file, true);
    MultiLayerNetwork network = MultiLayerNetwork.load(file, true);
    network.addListeners(ProgressListener.builder().totalEpochs(5).build());
    network.fit(Points.batches(), 2);

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_epoch")).isEqualTo(5);
    assertThat(end.number("current_step")).isEqualTo(5 * BATCHES);
    assertThat(end.number("total_steps")).isEqualTo(5 * BATCHES);
  }

  @Test
  void earlyStoppingTellsItsEpochsToo() {
    MultiLayerNetwork network = Points.network();
    network.addListeners(ProgressListener.builder().totalEpochs(3).build());
    new EarlyStoppingTrainer(
            new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
                .epochTerminationConditions(new MaxEpochsTerminationCondition(3))
                .scoreCalculator(new DataSetLossCalculator(Points.batches(), true))
                .build(),
            network,
            Points.batches())
        .fit();

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_epoch")).isEqualTo(3);
    assertThat(end.number("current_step")).isEqualTo(3 * BATCHES);
  }

  @Test
  void theReplicasOfAParallelWrapperCountTogether() {
    ComputationGraph graph = Points.graph();
    graph.addListeners(ProgressListener.builder().totalEpochs(2).batchesPerEpoch(BATCHES).build());
    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(graph).workers(2).averagingFrequency(1).build();
    wrapper.fit(Points.batches());
    wrapper.fit(Points.batches());
    wrapper.shutdown();

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_step")).isEqualTo(2 * BATCHES);
    assertThat(end.number("total_steps")).isEqualTo(2 * BATCHES);
  }

  /** Worker 1 may be the first to be done with a batch, and knows only its replica. */
  @Test
  void aReplicaBelongsToTheNetworkOfItsWrapperWhateverWasTrainedLast() throws Exception {
    ProgressListener listener = ProgressListener.create();
    MultiLayerNetwork wrapped = Points.network();
    ParallelWrapper wrapper = new ParallelWrapper.Builder<>(wrapped).workers(2).build();
    iterationOnWorker(wrapper, 1, Points.network(), listener);
    iterationOnWorker(wrapper, 0, wrapped, listener);
    MultiLayerNetwork another = Points.network();
    another.addListeners(listener);
    another.fit(Points.batches());
    iterationOnWorker(wrapper, 1, Points.network(), listener);
    AnotherModel.trains();

    assertThat(reports.lastWords(2))
        .extracting(end -> end.number("current_step"))
        .containsExactly(2.0, (double) BATCHES);
  }

  private static void iterationOnWorker(
      ParallelWrapper wrapper, int number, Model replica, TrainingListener listener)
      throws InterruptedException {
    Thread worker =
        new Thread(
            () -> listener.iterationDone(replica, 0, 0),
            "ParallelWrapper training thread " + number);
    worker.setUncaughtExceptionHandler(wrapper.getHandler());
    worker.start();
    worker.join();
  }

  /** Each worker makes an iteration, and of the next two one fails. */
  @Test
  void aWorkerThatDiesFailsTheRunAndItsWrapper() {
    List<DataSet> batches = new ArrayList<>();
    Points.batches().forEachRemaining(batches::add);
    batches.set(3, new DataSet(Nd4j.zeros(16, 5), Nd4j.zeros(16, 3)));
    MultiLayerNetwork network = Points.network();
    network.addListeners(ProgressListener.create());
    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(network)
            .workers(2)
            .averagingFrequency(1)
            .prefetchBuffer(0)
            .build();

    assertThatThrownBy(() -> wrapper.fit(new ListDataSetIterator<>(batches, 1)))
        .isInstanceOf(RuntimeException.class);
    assertThat(reports.lastWord().state()).isEqualTo("failed");
  }

  @Test
  void theReplicasOfAMultiLayerNetworkCountTogetherToo() {
    MultiLayerNetwork network = Points.network();
    network.addListeners(ProgressListener.create());
    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(network).workers(2).averagingFrequency(1).build();
    wrapper.fit(Points.batches());
    wrapper.shutdown();

    Status end = endByAnother();
    assertThat(end.number("current_step")).isEqualTo(BATCHES);
  }

  @Test
  void whatAListenerBeforeItHasEvaluatedIsToldWithTheEpoch() {
    MultiLayerNetwork network = Points.network();
    EvaluativeListener evaluating =
        new EvaluativeListener(Points.batches(), 1, InvocationType.EPOCH_END);
    network.setListeners(evaluating, ProgressListener.create());
    network.fit(Points.batches(), 2);

    Status end = endByAnother();
    double accuracy = ((Evaluation) evaluating.getEvaluations()[0]).accuracy();
    assertThat(end.number("eval_accuracy")).isCloseTo(accuracy, within(1e-9));
  }

  @Test
  void orWithABatchThatIsTrainedByItself() {
    MultiLayerNetwork network = Points.network();
    EvaluativeListener evaluating =
        new EvaluativeListener(Points.batches(), 1, InvocationType.ITERATION_END);
    network.setListeners(evaluating, ProgressListener.create());
    Points.batches().forEachRemaining(network::fit);

    Status end = endByAnother();
    double accuracy = ((Evaluation) evaluating.getEvaluations()[0]).accuracy();
    assertThat(end.number("eval_accuracy")).isCloseTo(accuracy, within(1e-9));
  }

  @Test
  void oneListenerServesNetworksInTurn() {
    TrainingListener listener = ProgressListener.create();
    for (int i = 1; i <= 2; i++) {
      MultiLayerNetwork network = Points.network();
      network.addListeners(listener);
      network.fit(Points.batches(), i);
    }
    AnotherModel.trains();

    assertThat(reports.lastWords(2))
        .extracting(end -> end.number("current_step"))
        .containsExactly((double) BATCHES, 2.0 * BATCHES);
  }

  @ParameterizedTest(name = "one listener for both: {0}")
  @ValueSource(booleans = {true, false})
  void ofTwoNetworksAtOnceTheFirstIsReported(boolean one) {
    MultiLayerNetwork first = Points.network();
    MultiLayerNetwork second = Points.network();
    ProgressListener listener = ProgressListener.create();
    first.addListeners(listener);
    second.addListeners(one ? listener : ProgressListener.create());
    for (DataSet example : Points.examples().subList(0, 5)) {
      first.fit(example);
      second.fit(example);
      second.fit(example);
    }

    Status end = endByAnother();
    assertThat(end.number("current_step")).isEqualTo(5);
  }

  @Test
  void buildersTakePositiveNumbers() {
    assertThatThrownBy(() -> ProgressListener.builder().totalEpochs(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("totalEpochs must be 1 or more, got 0");
    assertThatThrownBy(() -> SameDiffProgressListener.builder().batchesPerEpoch(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("batchesPerEpoch must be 1 or more, got -1");
  }

  private static final class OwnSchedule implements ISchedule {
    private static final long serialVersionUID = 1L;

    @Override
    public double valueAt(int iteration, int epoch) {
      return 0.5;
    }

    @Override
    public ISchedule clone() {
      return this;
    }
  }

  /** The last word of the run that is over now. */
  private static Status endByAnother() {
    AnotherModel.trains();
    return reports.lastWord();
  }
}
