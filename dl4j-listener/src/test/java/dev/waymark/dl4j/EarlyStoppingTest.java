package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.EarlyStoppingResult.TerminationReason;
import org.deeplearning4j.earlystopping.scorecalc.ClassificationScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.scorecalc.ROCScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.ROCScoreCalculator.Metric;
import org.deeplearning4j.earlystopping.scorecalc.ROCScoreCalculator.ROCType;
import org.deeplearning4j.earlystopping.scorecalc.RegressionScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.ScoreCalculator;
import org.deeplearning4j.earlystopping.termination.EpochTerminationCondition;
import org.deeplearning4j.earlystopping.termination.InvalidScoreIterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.IterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxScoreIterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxTimeIterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.ScoreImprovementEpochTerminationCondition;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

class EarlyStoppingTest {

  @ParameterizedTest(name = "{0} epochs at most, asked after every {1}: {2}")
  @CsvSource({
    "1, 1, 1",
    "10, 1, 10",
    "10, 0, 10", // 0 fails in the trainer
    "1, 3, 1",
    "2, 3, 4",
    "4, 3, 4",
    "5, 3, 7",
    "10, 3, 10",
    "10, 4, 13",
  })
  void theConditionEndsItOnlyWhenItIsAsked(int most, int every, int epochs) {
    EarlyStoppingConfiguration<MultiLayerNetwork> configuration =
        configuration(
            every,
            new ScoreImprovementEpochTerminationCondition(5),
            new MaxEpochsTerminationCondition(most));

    assertThat(EarlyStopping.mostEpochs(configuration)).isEqualTo(epochs);
  }

  @ParameterizedTest(name = "{0}, {1}, {2} of {3} epochs: {4}")
  @CsvSource({
    "EpochTerminationCondition,     MaxEpochsTerminationCondition(10),      10, 10, COMPLETED",
    "EpochTerminationCondition,     BestScoreEpochTerminationCondition(1),  10, 10, COMPLETED",
    "EpochTerminationCondition,     BestScoreEpochTerminationCondition(1),   7, 10, STOPPED_EARLY",
    "EpochTerminationCondition,     BestScoreEpochTerminationCondition(1),   7,  0, STOPPED_EARLY",
    "IterationTerminationCondition, MaxTimeIterationTerminationCondition(1), 7, 10, STOPPED_EARLY",
    "IterationTerminationCondition, MaxScoreIterationTerminationCondition(2.5), 7, 10, DIVERGED",
    "IterationTerminationCondition, InvalidScoreIterationTerminationCondition(), 7, 10, DIVERGED",
    "Error,                         java.lang.IllegalStateException,         7, 10, FAILED",
  })
  void theResultTellsHowItEnded(
      TerminationReason reason, String details, int done, int most, Outcome outcome) {
    EarlyStoppingConfiguration<MultiLayerNetwork> configuration =
        most == 0 ? configuration(1) : configuration(1, new MaxEpochsTerminationCondition(most));
    EarlyStoppingResult<MultiLayerNetwork> result =
        new EarlyStoppingResult<>(reason, details, Map.of(), 0, 0, done, null);

    assertThat(EarlyStopping.outcome(result, configuration)).isEqualTo(outcome);
  }

  static Stream<Arguments> conditions() {
    return Stream.of(
        Arguments.of(new InvalidScoreIterationTerminationCondition(), Outcome.DIVERGED),
        Arguments.of(new MaxScoreIterationTerminationCondition(2.5), Outcome.DIVERGED),
        Arguments.of(
            new MaxTimeIterationTerminationCondition(1, TimeUnit.HOURS), Outcome.STOPPED_EARLY));
  }

  /** The names that the outcome goes by are those of Deeplearning4j's own conditions. */
  @ParameterizedTest
  @MethodSource("conditions")
  void detailsAreTheConditionsText(IterationTerminationCondition condition, Outcome outcome) {
    EarlyStoppingResult<MultiLayerNetwork> result =
        new EarlyStoppingResult<>(
            TerminationReason.IterationTerminationCondition,
            condition.toString(),
            Map.of(),
            0,
            0,
            1,
            null);

    assertThat(EarlyStopping.outcome(result, null)).isEqualTo(outcome);
  }

  static Stream<Arguments> calculators() {
    DataSetIterator none = new ListDataSetIterator<>(List.of(), 1);
    return Stream.of(
        Arguments.of(new DataSetLossCalculator(none, true), "eval_loss"),
        Arguments.of(
            new ClassificationScoreCalculator(Evaluation.Metric.ACCURACY, none), "eval_accuracy"),
        Arguments.of(new ClassificationScoreCalculator(Evaluation.Metric.F1, none), "eval_f1"),
        Arguments.of(
            new RegressionScoreCalculator(RegressionEvaluation.Metric.MSE, none), "eval_mse"),
        Arguments.of(new ROCScoreCalculator(ROCType.ROC, none), "eval_auroc"),
        Arguments.of(new ROCScoreCalculator(ROCType.ROC, Metric.AUPRC, none), "eval_auprc"),
        Arguments.of(new OwnCalculator(), "eval_score"));
  }

  @ParameterizedTest
  @MethodSource("calculators")
  void aScoreHasTheNameOfWhatItMeasures(ScoreCalculator<?> calculator, String name) {
    assertThat(EarlyStopping.nameOf(calculator)).isEqualTo(name);
  }

  private static EarlyStoppingConfiguration<MultiLayerNetwork> configuration(
      int every, EpochTerminationCondition... conditions) {
    return new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
        .epochTerminationConditions(conditions)
        .evaluateEveryNEpochs(every)
        .build();
  }

  private static final class OwnCalculator implements ScoreCalculator<Model> {
    private static final long serialVersionUID = 1L;

    @Override
    public double calculateScore(Model network) {
      return 0;
    }

    @Override
    public boolean minimizeScore() {
      return true;
    }
  }
}
