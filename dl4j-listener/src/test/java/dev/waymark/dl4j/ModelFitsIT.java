package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.EarlyStoppingResult.TerminationReason;
import org.deeplearning4j.earlystopping.listener.EarlyStoppingListener;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.parallelism.EarlyStoppingParallelTrainer;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the hooks make of real trainers and wrappers, called here in the agent's place: trainings
 * with the agent are its own tests.
 */
class ModelFitsIT {
  private static ReceivedReports reports;

  private final ModelFits fits = new ModelFits();
  private final MultiLayerNetwork network = Points.network();

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @Test
  void theResultTellsHowEarlyStoppingEndedWhoeverListensBySide() {
    EarlyStoppingTrainer trainer = earlyStopping();
    EarlyStoppingListener<MultiLayerNetwork> own = new Silent();
    fits.earlyStoppingBegan(trainer);
    trainer.setListener(own);
    for (int epoch = 0; epoch < 2; epoch++) {
      iterations(Points.BATCHES);
      fits.earlyStoppingEpochEnded(epoch);
    }
    fits.earlyStoppingEnded(trainer, result(TerminationReason.EpochTerminationCondition, 2), null);

    assertThat(reports.lastWord().state()).isEqualTo("completed");
    assertThat(PrivateField.read(trainer, "listener")).isSameAs(own);
  }

  @Test
  void theTrainerHasItsListenerBackAfterwards() {
    EarlyStoppingTrainer trainer = earlyStopping();
    EarlyStoppingListener<MultiLayerNetwork> own = new Silent();
    trainer.setListener(own);
    fits.earlyStoppingBegan(trainer);
    assertThat(PrivateField.read(trainer, "listener")).isNotSameAs(own);
    fits.earlyStoppingEnded(trainer, null, new IllegalStateException());

    assertThat(reports.lastWord().state()).isEqualTo("failed");
    assertThat(PrivateField.read(trainer, "listener")).isSameAs(own);
  }

  /** Of two fields with one name it is Deeplearning4j's that counts. */
  @Test
  void aTrainerThatTheProgramHasDerivedIsReportedWithAllItsFigures() {
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int iteration, int epoch) {
            fits.iterationDone(model);
          }

          @Override
          public void onEpochEnd(Model model) {
            fits.earlyStoppingEpochEnded(network.getEpochCount());
          }
        });
    OwnTrainer trainer = new OwnTrainer(network);
    fits.earlyStoppingBegan(trainer);
    EarlyStoppingResult<MultiLayerNetwork> result = trainer.fit();
    fits.earlyStoppingEnded(trainer, result, null);

    Status end = reports.lastWord();
    assertThat(end.number("current_step")).isEqualTo(2 * Points.BATCHES);
    assertThat(end.number("total_steps")).isEqualTo(2 * Points.BATCHES);
    assertThat(end.number("eval_loss")).isCloseTo(result.getScoreVsEpoch().get(1), within(1e-9));
  }

  @Test
  void afterAnEpochThatIsNotEvaluatedThereIsNoPause() {
    EarlyStoppingTrainer trainer =
        new EarlyStoppingTrainer(
            new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
                .epochTerminationConditions(new MaxEpochsTerminationCondition(4))
                .evaluateEveryNEpochs(2)
                .build(),
            network,
            Points.batches());
    fits.earlyStoppingBegan(trainer);
    iterations(Points.BATCHES);
    fits.earlyStoppingEpochEnded(0);
    reports.awaitState("evaluating");
    iterations(Points.BATCHES);
    fits.earlyStoppingEpochEnded(1);
    reports.awaitState("running");
    fits.earlyStoppingEnded(trainer, result(TerminationReason.Error, 2), null);

    assertThat(reports.lastWord().number("current_epoch")).isEqualTo(2);
  }

  @Test
  void aWrapperThatTheProgramHasDerivedForItselfIsReported() {
    ParallelWrapper wrapper = new OwnWrapper(network);
    fits.parallelFitBegan(wrapper, Points.batches());
    iterations(Points.BATCHES);
    fits.parallelFitEnded(wrapper, null);

    Status end = endByAnother();
    assertThat(end.number("current_step")).isEqualTo(Points.BATCHES);
    assertThat(end.number("current_epoch")).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}: {1} steps in all")
  @CsvSource(
      nullValues = "-",
      value = {"Standard, 12", "TruncatedBPTT, -"})
  void theLengthOfAnEpochIsUnknownWhereABatchIsSeveralIterations(
      BackpropType type, String totalSteps) {
    network.getLayerWiseConfigurations().setBackpropType(type);
    EarlyStoppingTrainer trainer = earlyStopping();
    fits.earlyStoppingBegan(trainer);
    iterations(1);
    fits.earlyStoppingEnded(trainer, result(TerminationReason.Error, 0), null);

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("failed");
    assertThat(end.metric("total_steps")).isEqualTo(totalSteps);
  }

  @ParameterizedTest(name = "stopped: {0}, after {1} of 6 batches: {2} epochs")
  @CsvSource(
      nullValues = "-",
      value = {
        "true,  2, -", //
        "true,  6, 1",
        "false, 6, 1",
        "false, 2, 1", // as the wrapper says, whatever the iterator's length seemed to be
      })
  void aWrapperThatWasStoppedWithinAnEpochHasNotMadeIt(
      boolean stopped, int batches, String epochs) {
    ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build();
    fits.parallelFitBegan(wrapper, Points.batches());
    iterations(batches);
    if (stopped) {
      wrapper.stopFit();
    }
    fits.parallelFitEnded(wrapper, null);

    Status end = endByAnother();
    assertThat(end.number("current_step")).isEqualTo(batches);
    assertThat(end.metric("current_epoch")).isEqualTo(epochs);
  }

  @Test
  void earlyStoppingOfAWrapperInTheMiddleOfAnEpochHasMadeAPartOfIt() {
    EarlyStoppingParallelTrainer<MultiLayerNetwork> trainer =
        new EarlyStoppingParallelTrainer<>(
            configuration(), network, Points.batches(), null, 2, 2, 1);
    ParallelWrapper wrapper = (ParallelWrapper) PrivateField.read(trainer, "wrapper");
    fits.earlyStoppingBegan(trainer);
    fits.parallelFitBegan(wrapper, Points.batches());
    iterations(3);
    wrapper.stopFit();
    fits.parallelFitEnded(wrapper, null);
    fits.earlyStoppingEnded(
        trainer, result(TerminationReason.IterationTerminationCondition, 0), null);

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("stopped_early");
    assertThat(end.percent()).isEqualTo(25);
    assertThat(end.number("current_epoch")).isEqualTo(0.5);
  }

  @Test
  void whatCanNotBeReadOfAnExceptionDoesNotKeepTheFitOpen() {
    fits.fitBegan(network, Points.batches(), 2);
    iterations(1);
    fits.ended(
        network,
        new IllegalStateException() {
          private static final long serialVersionUID = 1L;

          @Override
          public StackTraceElement[] getStackTrace() {
            throw new UnsupportedOperationException("no stack trace");
          }
        });
    assertThat(reports.lastWord().state()).isEqualTo("failed");

    fits.fitBegan(network, Points.batches(), 2);
    iterations(2 * Points.BATCHES);
    fits.ended(network, null);
    assertThat(endByAnother().number("current_step")).isEqualTo(2 * Points.BATCHES);
  }

  /** The network itself has no score yet. */
  @Test
  void theIterationWhoseListenerThrowsInPretrainingHasNoLossOfItsOwn() {
    MultiLayerNetwork pretrained = Points.pretrainable();
    List<Double> scores = new ArrayList<>();
    pretrained.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model layer, int iteration, int epoch) {
            if (scores.size() == 3) {
              throw new IllegalStateException("thrown after 3");
            }
            scores.add(layer.score());
            fits.iterationDone(layer);
          }
        });
    fits.pretrainingBegan(pretrained, Points.batches(), 2);
    Throwable thrown = catchThrowable(() -> pretrained.pretrain(Points.batches(), 2));
    fits.ended(pretrained, thrown);

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("failed");
    assertThat(end.number("current_step")).isEqualTo(4);
    assertThat(end.number("loss")).isCloseTo(scores.get(2), within(1e-6)).isPositive();
  }

  @Test
  void aFitWhoseEndWasMissedDoesNotKeepItsNetworkFromTheNext() {
    MultiLayerNetwork other = Points.network();
    fits.fitBegan(network, Points.batches(), 2);
    iterations(1);
    fits.batchBegan(other);
    fits.ended(network, new IllegalStateException());
    fits.batchBegan(other);
    fits.iterationDone(other);
    fits.ended(other, null);

    assertThat(reports.lastWord().state()).isEqualTo("failed");
    assertThat(endByAnother().number("current_step")).isEqualTo(1);
  }

  @Test
  void aLoopOfBatchesIsOneRun() {
    batches(1_000);

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_step")).isEqualTo(1_000);
  }

  @Test
  void withinABatchOfALoopNobodyElseBegins() {
    batches(10);
    fits.batchBegan(network);
    AnotherModel.trains();
    fits.iterationDone(network);
    AnotherModel.trains();
    fits.ended(network, null);
    batches(10);

    assertThat(endByAnother().number("current_step")).isEqualTo(21);
  }

  @Test
  void whatIsThrownOutOfABatchOfALoopFailsTheRun() {
    batches(10);
    fits.batchBegan(network);
    fits.ended(network, new IllegalStateException());

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("failed");
    assertThat(end.number("current_step")).isEqualTo(10);
    batches(2);
    assertThat(endByAnother().number("current_step")).isEqualTo(2);
  }

  @Test
  void whatIsTrainedWithinABatchOfALoopIsAnotherFit() {
    MultiLayerNetwork other = Points.network();
    batches(10);
    fits.batchBegan(network);
    fits.batchBegan(other);
    fits.iterationDone(other);
    fits.ended(other, null);
    fits.iterationDone(network);
    fits.ended(network, null);
    batches(10);

    assertThat(endByAnother().number("current_step")).isEqualTo(21);
  }

  @Test
  void whatIsTrainedOfTheSameModelWithinABatchOfALoopIsAPartOfThat() {
    batches(10);
    fits.batchBegan(network);
    fits.batchBegan(network);
    fits.iterationDone(network);
    fits.ended(network, null);
    fits.ended(network, null);
    batches(10);

    assertThat(endByAnother().number("current_step")).isEqualTo(21);
  }

  @Test
  void epochsAndBatchesOfOneModelAreOneRun() {
    batches(10);
    fits.epochBegan(network, Points.batches());
    iterations(Points.BATCHES);
    fits.ended(network, null);
    batches(10);

    assertThat(endByAnother().number("current_step")).isEqualTo(20 + Points.BATCHES);
  }

  @Test
  void loopsOfSeveralThreadsAreOneRun() throws Exception {
    batches(10);
    for (int i = 0; i < 3; i++) {
      Thread other = new Thread(() -> batches(10));
      other.start();
      other.join();
      batches(10);
    }

    assertThat(endByAnother().number("current_step")).isEqualTo(70);
  }

  /** Each comes after the one before, whose steps are over. */
  @Test
  void loopsInTurnAreRunsInTurn() {
    batches(10);
    MultiLayerNetwork next = Points.network();
    fits.created(next);
    for (int i = 0; i < 10; i++) {
      fits.batchBegan(next);
      fits.iterationDone(next);
      fits.ended(next, null);
    }
    batches(5);
    AnotherModel.trains();

    assertThat(reports.lastWords(3).subList(0, 2))
        .extracting(end -> end.number("current_step"))
        .containsExactly(10.0, 10.0);
  }

  @Test
  void anEvaluationBetweenBatchesOfALoopEndsWithTheNext() {
    batches(10);
    fits.evaluationBegan(network);
    reports.awaitState("evaluating");
    fits.evaluationEnded(network);
    reports.awaitState("running");
    batches(10);

    assertThat(endByAnother().number("current_step")).isEqualTo(20);
  }

  private void batches(int count) {
    for (int i = 0; i < count; i++) {
      fits.batchBegan(network);
      fits.iterationDone(network);
      fits.ended(network, null);
    }
  }

  @Test
  void anEvaluationIsOneUntilItHasEnded() {
    fits.epochBegan(network, Points.batches());
    iterations(Points.BATCHES);
    fits.ended(network, null);
    fits.evaluationBegan(network);
    reports.awaitState("evaluating");
    fits.evaluationEnded(network);
    reports.awaitState("running");

    assertThat(endByAnother().state()).isEqualTo("completed");
  }

  private void iterations(int count) {
    for (int i = 0; i < count; i++) {
      fits.iterationDone(network);
    }
  }

  private static Status endByAnother() {
    AnotherModel.trains();
    return reports.lastWords(2).get(0);
  }

  private EarlyStoppingTrainer earlyStopping() {
    return new EarlyStoppingTrainer(configuration(), network, Points.batches());
  }

  private static EarlyStoppingConfiguration<MultiLayerNetwork> configuration() {
    return new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
        .epochTerminationConditions(new MaxEpochsTerminationCondition(2))
        .build();
  }

  private EarlyStoppingResult<MultiLayerNetwork> result(TerminationReason reason, int epochs) {
    return new EarlyStoppingResult<>(reason, "details", Map.of(), 0, 0, epochs, network);
  }

  private static final class OwnTrainer extends EarlyStoppingTrainer {
    private final String listener = "no listener";
    private final String iterator = "no iterator";

    OwnTrainer(MultiLayerNetwork network) {
      super(
          new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
              .epochTerminationConditions(new MaxEpochsTerminationCondition(2))
              .scoreCalculator(new DataSetLossCalculator(Points.batches(), true))
              .build(),
          network,
          Points.batches());
    }

    @Override
    public String toString() {
      return listener + ", " + iterator;
    }
  }

  private static final class OwnWrapper extends ParallelWrapper {
    OwnWrapper(Model network) {
      super(network, 2, 2);
    }
  }

  private static final class Silent implements EarlyStoppingListener<MultiLayerNetwork> {
    @Override
    public void onStart(
        EarlyStoppingConfiguration<MultiLayerNetwork> configuration, MultiLayerNetwork network) {}

    @Override
    public void onEpoch(
        int epoch,
        double score,
        EarlyStoppingConfiguration<MultiLayerNetwork> configuration,
        MultiLayerNetwork network) {}

    @Override
    public void onCompletion(EarlyStoppingResult<MultiLayerNetwork> result) {}
  }
}
