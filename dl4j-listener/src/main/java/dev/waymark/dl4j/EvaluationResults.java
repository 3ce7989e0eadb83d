package dev.waymark.dl4j;

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
 * eval_mse}. To be read on the thread that has evaluated; some are worked out with ND4J then.
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
      return evaluation.getValue(metric);
    } catch (RuntimeException e) {
      return Double.NaN;
    }
  }
}
