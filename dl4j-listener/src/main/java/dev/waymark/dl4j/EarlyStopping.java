package dev.waymark.dl4j;

import dev.waymark.reporter.Fault;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.EarlyStoppingResult.TerminationReason;
import org.deeplearning4j.earlystopping.listener.EarlyStoppingListener;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculatorCG;
import org.deeplearning4j.earlystopping.scorecalc.ROCScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.ScoreCalculator;
import org.deeplearning4j.earlystopping.termination.EpochTerminationCondition;
import org.deeplearning4j.earlystopping.termination.InvalidScoreIterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxScoreIterationTerminationCondition;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.evaluation.classification.ROC;

/**
 * One call of an early stopping trainer's fit: what its conditions plan, what its scores are, and
 * how it ends.
 *
 * <p>While it runs it stands in for the trainer's own listener, to which it hands on everything:
 * nothing else in 1.0.0-M2.1 shows the scores. A program that replaces the listener in the midst of
 * it costs the reports the scores, and nothing else.
 */
final class EarlyStopping implements EarlyStoppingListener<Model> {
  /** The conditions that hold of a score which has got out of hand, as a result's details begin. */
  private static final Set<String> DIVERGENCES =
      Set.of(
          InvalidScoreIterationTerminationCondition.class.getSimpleName(),
          MaxScoreIterationTerminationCondition.class.getSimpleName());

  private final Object trainer;
  private final FittedRun run;
  private final PrivateField listener;

  /** Null if it can't be read. */
  private final EarlyStoppingConfiguration<?> configuration;

  /** The program's own; may be null. */
  private EarlyStoppingListener<Model> own;

  /** For a trainer whose fit has been entered. */
  EarlyStopping(Object trainer, FittedRun run) {
    this.trainer = trainer;
    this.run = run;
    Object by = PrivateField.read(trainer, "esConfig");
    configuration =
        by instanceof EarlyStoppingConfiguration ? (EarlyStoppingConfiguration<?>) by : null;
    listener = PrivateField.of(FrameworkClass.of(trainer), "listener");
  }

  /** Takes the place of the trainer's own listener. */
  @SuppressWarnings("unchecked")
  void standIn() {
    own = (EarlyStoppingListener<Model>) listener.read(trainer);
    listener.write(trainer, this);
  }

  /** Over the data that it trains with; null if that can't be read. */
  Object iterator() {
    return PrivateField.read(trainer, "iterator");
  }

  /**
   * What is planned by then.
   *
   * @param iterationsPerEpoch 0 if unknown
   */
  FitPlan plan(long iterationsPerEpoch) {
    return FitPlan.untilStopped(
        configuration == null ? 0 : mostEpochs(configuration), iterationsPerEpoch);
  }

  /** Epochs until the conditions end the training at the latest; 0 if they don't. */
  static int mostEpochs(EarlyStoppingConfiguration<?> configuration) {
    List<EpochTerminationCondition> conditions = configuration.getEpochTerminationConditions();
    if (conditions == null) {
      return 0;
    }
    return conditions.stream()
        .filter(MaxEpochsTerminationCondition.class::isInstance)
        .mapToInt(condition -> ((MaxEpochsTerminationCondition) condition).getMaxEpochs())
        .map(most -> untilAsked(most, configuration.getEvaluateEveryNEpochs()))
        .min()
        .orElse(0);
  }

  /** The conditions are asked after the epochs 1, 1 + every, 1 + 2 every, ... only. */
  static int untilAsked(int mostEpochs, int every) {
    return every <= 1 ? mostEpochs : (mostEpochs - 2 + every) / every * every + 1;
  }

  /**
   * Whether the model is evaluated after an epoch.
   *
   * @param epoch the number of it, 0 for the first
   */
  boolean isEvaluatedAfter(int epoch) {
    return configuration == null
        || epoch % Math.max(1, configuration.getEvaluateEveryNEpochs()) == 0;
  }

  /**
   * The trainer's fit has ended.
   *
   * @param result null if it has thrown
   */
  Outcome ended(EarlyStoppingResult<?> result) {
    if (listener.read(trainer) == this) {
      listener.write(trainer, own);
    }
    return result == null ? Outcome.FAILED : outcome(result, configuration);
  }

  /**
   * What a result means; all planned epochs done is completed, whatever else holds. The trainer
   * turns an exception into a result, too. A score that is no number has diverged, and so has one
   * above the bound that the program has set: 1.0.0-M2.1 counts no number as above it, too.
   */
  static Outcome outcome(EarlyStoppingResult<?> result, EarlyStoppingConfiguration<?> by) {
    if (result.getTerminationReason() == TerminationReason.Error) {
      return Outcome.FAILED;
    }
    if (result.getTerminationReason() == TerminationReason.EpochTerminationCondition) {
      int most = by == null ? 0 : mostEpochs(by);
      return most > 0 && result.getTotalEpochs() >= most
          ? Outcome.COMPLETED
          : Outcome.STOPPED_EARLY;
    }
    String details = String.valueOf(result.getTerminationDetails());
    return DIVERGENCES.stream().anyMatch(details::startsWith)
        ? Outcome.DIVERGED
        : Outcome.STOPPED_EARLY;
  }

  @Override
  public void onStart(EarlyStoppingConfiguration<Model> esConfig, Model net) {
    if (own != null) {
      own.onStart(esConfig, net);
    }
  }

  @Override
  public void onEpoch(
      int epochNum, double score, EarlyStoppingConfiguration<Model> esConfig, Model net) {
    Fault.guard(() -> run.metric(nameOf(esConfig.getScoreCalculator()), score));
    if (own != null) {
      own.onEpoch(epochNum, score, esConfig, net);
    }
  }

  @Override
  public void onCompletion(EarlyStoppingResult<Model> esResult) {
    if (own != null) {
      own.onCompletion(esResult);
    }
  }

  /**
   * {@code eval_loss} for the loss on a data set, {@code eval_accuracy} and the like where the
   * calculator is one of Deeplearning4j's for a certain metric, otherwise {@code eval_score}.
   */
  @SuppressWarnings("deprecation")
  static String nameOf(ScoreCalculator<?> calculator) {
    if (calculator instanceof DataSetLossCalculator
        || calculator instanceof DataSetLossCalculatorCG) {
      return "eval_loss";
    }
    Object metric = calculator == null ? null : PrivateField.read(calculator, "metric");
    if (metric == ROCScoreCalculator.Metric.AUC) {
      return "eval_"
          + EvaluationResults.name(ROC.Metric.AUROC); // as the evaluation itself names it
    }
    return metric instanceof Enum
        ? "eval_" + ((Enum<?>) metric).name().toLowerCase(Locale.ROOT)
        : "eval_score";
  }
}
