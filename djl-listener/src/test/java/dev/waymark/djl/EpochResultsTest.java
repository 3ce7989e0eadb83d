package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpochResultsTest {

  @ParameterizedTest(name = "{0} is reported as {1}")
  @CsvSource({
    "train_loss, train_loss",
    "validate_loss, eval_loss",
    "train_Accuracy, train_accuracy",
    "validate_Accuracy, eval_accuracy",
    "validate_SoftmaxCrossEntropyLoss, eval_softmax_cross_entropy_loss",
    "validate_Top_5_Accuracy, eval_top_5_accuracy",
    "train_Top5Accuracy, train_top5_accuracy",
    "train_L2Loss, train_l2_loss",
    "train_AUC, train_auc",
    "train_AUCScore, train_auc_score",
    "train_F1, train_f1",
    "validate_my own-score/2 (new), eval_my_own_score_2_new",
    "validate_Genauigkeit (Größe), eval_genauigkeit_größe",
    "train_IDLE, train_idle",
    "Speed, speed",
  })
  void names(String result, String reported) {
    assertThat(EpochResults.metricName(result)).isEqualTo(reported);
  }
}
