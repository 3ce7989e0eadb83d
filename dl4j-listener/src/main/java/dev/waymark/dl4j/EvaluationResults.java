package dev.waymark.dl4j;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ObjDoubleConsumer;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.IMetric;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.EvaluationBinary;
import org.nd4j.evaluation.classification.ROC;
import org.nd4j.evaluation.classification.ROCBinary;
import org.nd4j.evaluation.classification.ROCMultiClass;
import org.nd4j.evaluation.regression.RegressionEvaluation;

/**
 * The results of an evaluation under the names that Waymark reports: {@code eval_accuracy}, {@code
 * eval_mse}. To be read on the thread that has evaluated: a regression keeps its sums in arrays, as
 * long as there are outputs, which are looked into. Nothing is worked out that costs the training
 * anything: the areas under curves, for which ND4J sorts all examples, are told where the program
 * has asked for them, as what an {@code EvaluativeListener} logs does.
 */
final class EvaluationResults {
  private static final Map<Class<?>, List<IMetric>> METRICS = new LinkedHashMap<>();

  static {
    METRICS.put(
        Evaluation.class,
        List.of(
            Evaluation.Metric.ACCURACY,
            Evaluation.Metric.PRECISION,
            Evaluation.Metric.RECALL,
            Evaluation.Metric.F1));
    METRICS.put(
        EvaluationBinary.class,
        List.of(
            EvaluationBinary.Metric.ACCURACY,
            EvaluationBinary.Metric.PRECISION,
            EvaluationBinary.Metric.RECALL,
            EvaluationBinary.Metric.F1));
    METRICS.put(
        RegressionEvaluation.class,
        List.of(
            RegressionEvaluation.Metric.MSE,
            RegressionEvaluation.Metric.MAE,
            RegressionEvaluation.Metric.RMSE,
            RegressionEvaluation.Metric.R2));
    METRICS.put(ROC.class, List.of(ROC.Metric.AUROC, ROC.Metric.AUPRC));
    METRICS.put(ROCBinary.class, List.of(ROCBinary.Metric.AUROC, ROCBinary.Metric.AUPRC));
    METRICS.put(
        ROCMultiClass.class, List.of(ROCMultiClass.Metric.AUROC, ROCMultiClass.Metric.AUPRC));
  }

  /** What a {@code ROC} has worked out, null before, by the names of the metrics. */
  private static final Map<String, PrivateField> WORKED_OUT =
      Map.of(
          "AUROC", PrivateField.of(ROC.class, "auc"), "AUPRC", PrivateField.of(ROC.class, "auprc"));

  private static final PrivateField ROCS_OF_BINARY = PrivateField.of(ROCBinary.class, "underlying");
  private static final PrivateField ROCS_OF_CLASSES =
      PrivateField.of(ROCMultiClass.class, "underlying");

  private EvaluationResults() {}

  /**
   * Hands over the results of one evaluation; nothing for a kind that is not known.
   *
   * @param prefix {@code train_} or {@code eval_}
   */
  static void tell(String prefix, IEvaluation<?> evaluation, ObjDoubleConsumer<String> metric) {
    metricsOf(evaluation)
        .forEach(
            kind -> {
              double value = valueOrNan(evaluation, kind);
              if (Double.isFinite(value)) {
                metric.accept(prefix + name(kind), value);
              }
            });
  }

  /** {@code accuracy} for {@code Evaluation.Metric.ACCURACY}. */
  static String name(IMetric metric) {
    return metric.toString().toLowerCase(Locale.ROOT);
  }

  private static List<IMetric> metricsOf(IEvaluation<?> evaluation) {
    return METRICS.entrySet().stream()
        .filter(entry -> entry.getKey().isInstance(evaluation))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(List.of());
  }

  /** An evaluation that has seen no data refuses. */
  private static double valueOrNan(IEvaluation<?> evaluation, IMetric metric) {
    try {
      return isWorkedOut(evaluation, metric) ? evaluation.getValue(metric) : Double.NaN;
    } catch (RuntimeException e) {
      return Double.NaN;
    }
  }

  /** Whether a value is there, or follows from counts and sums. */
  private static boolean isWorkedOut(IEvaluation<?> evaluation, IMetric metric) {
    PrivateField area = WORKED_OUT.get(metric.toString());
    if (area == null) {
      return true;
    }
    ROC[] rocs = rocs(evaluation);
    return rocs.length > 0 && Arrays.stream(rocs).noneMatch(roc -> area.read(roc) == null);
  }

  /** Those that an evaluation is the mean of. */
  private static ROC[] rocs(IEvaluation<?> evaluation) {
    if (evaluation instanceof ROC) {
      return new ROC[] {(ROC) evaluation};
    }
    PrivateField underlying = evaluation instanceof ROCBinary ? ROCS_OF_BINARY : ROCS_OF_CLASSES;
    Object rocs = underlying.read(evaluation);
    return rocs instanceof ROC[] ? (ROC[]) rocs : new ROC[0];
  }
}
