package dev.waymark.djl;

import ai.djl.training.Trainer;
import dev.waymark.reporter.TrainingRun;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The results of an epoch under the names that Waymark reports: DJL's {@code train_Accuracy} is
 * {@code train_accuracy}, its {@code validate_Accuracy} is {@code eval_accuracy}. For the thread
 * that trains.
 */
final class EpochResults {
  private static final String TRAIN = "train_";
  private static final String VALIDATE = "validate_";

  /**
   * Reported names by DJL's, as working one out takes far longer than all else that an epoch costs.
   */
  private final Map<String, String> metricNames = new HashMap<>();

  /**
   * Hands the results to the run. DJL 0.36 has them when its {@code EvaluatorTrainingListener} has
   * seen the epoch's end; what it did not measure is NaN. It keeps the loss twice, under its own
   * name and as "loss"; one is enough.
   */
  void tell(TrainingRun run, Trainer trainer) {
    String lossName = trainer.getLoss().getName();
    for (Map.Entry<String, Float> result :
        trainer.getTrainingResult().getEvaluations().entrySet()) {
      String name = result.getKey();
      Float value = result.getValue();
      if (value != null && !name.equals(TRAIN + lossName) && !name.equals(VALIDATE + lossName)) {
        run.metric(metricNames.computeIfAbsent(name, EpochResults::metricName), value);
      }
    }
  }

  static String metricName(String result) {
    if (result.startsWith(TRAIN)) {
      return TRAIN + snakeCase(result.substring(TRAIN.length()));
    }
    if (result.startsWith(VALIDATE)) {
      return "eval_" + snakeCase(result.substring(VALIDATE.length()));
    }
    return snakeCase(result);
  }

  /**
   * {@code SoftmaxCrossEntropyLoss}, {@code F1Score}, {@code my loss/2} as words with {@code _}.
   */
  static String snakeCase(String name) {
    return name.replaceAll("(?<=[\\p{Ll}\\p{N}])(?=\\p{Lu})", "_")
        .replaceAll("(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})", "_")
        .replaceAll("[^\\p{L}\\p{N}]+", "_")
        .replaceAll("^_|_$", "")
        .toLowerCase(Locale.ROOT);
  }
}
