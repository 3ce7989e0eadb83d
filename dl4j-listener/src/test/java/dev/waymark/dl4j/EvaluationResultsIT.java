package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.EvaluationBinary;
import org.nd4j.evaluation.classification.ROC;
import org.nd4j.evaluation.classification.ROCBinary;
import org.nd4j.evaluation.classification.ROCMultiClass;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.factory.Nd4j;

/** What is told of real evaluations. */
class EvaluationResultsIT {
  private static final float[][] LABELS = {{1, 0}, {0, 1}, {1, 0}, {0, 1}};
  private static final float[][] PREDICTIONS = {{.9f, .1f}, {.3f, .7f}, {.4f, .6f}, {.2f, .8f}};

  static Stream<Arguments> counted() {
    return Stream.of(
        Arguments.of(new Evaluation(), "accuracy precision recall f1"),
        Arguments.of(new EvaluationBinary(), "accuracy precision recall f1"),
        Arguments.of(new RegressionEvaluation(), "mse mae rmse r2"));
  }

  @ParameterizedTest
  @MethodSource("counted")
  void whatFollowsFromCountsAndSumsIsTold(IEvaluation<?> evaluation, String names) {
    evaluate(evaluation);

    assertThat(told(evaluation).keySet()).containsExactlyInAnyOrder(names.split(" "));
  }

  @Test
  void theValueIsThatOfTheEvaluation() {
    Evaluation evaluation = new Evaluation();
    evaluate(evaluation);

    assertThat(told(evaluation)).containsEntry("accuracy", 0.75);
  }

  /**
   * One that is asked for its statistics, as a listener that evaluates does, has sorted by then.
   */
  static Stream<Arguments> areas() {
    return Stream.of(
        Arguments.of("exact", new ROC(0), "auroc auprc"),
        Arguments.of("by thresholds", new ROC(10), "auroc auprc"),
        Arguments.of("for each output", new ROCBinary(), "auroc auprc"),
        Arguments.of("one against all", new ROCMultiClass(), "auroc"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("areas")
  void areasUnderCurvesAreToldOnceTheProgramHasAskedForThem(
      String kind, IEvaluation<?> evaluation, String names) {
    assertThat(told(evaluation)).as("no data").isEmpty();
    evaluate(evaluation);
    assertThat(told(evaluation)).as("not asked for").isEmpty();

    evaluation.stats();
    assertThat(told(evaluation).keySet()).containsExactlyInAnyOrder(names.split(" "));

    evaluate(evaluation);
    assertThat(told(evaluation)).as("of newer data").isEmpty();
  }

  @Test
  void anAreaIsTheOneThatTheProgramHasAskedFor() {
    ROC roc = new ROC(0);
    evaluate(roc);
    double area = roc.calculateAUC();

    assertThat(told(roc)).containsExactly(Map.entry("auroc", area));
  }

  private static void evaluate(IEvaluation<?> evaluation) {
    evaluation.eval(Nd4j.createFromArray(LABELS), Nd4j.createFromArray(PREDICTIONS));
  }

  private static Map<String, Double> told(IEvaluation<?> evaluation) {
    Map<String, Double> told = new HashMap<>();
    EvaluationResults.tell("", evaluation, told::put);
    return told;
  }
}
