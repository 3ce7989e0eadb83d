package dev.waymark.controller.status;

import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.util.Set;

/** What a report says about its own place among others. */
final class Reports {

  private static final int COMPLETE = 100;

  /** Values of the metric {@code state} after which a run says nothing more. */
  private static final Set<String> LAST_STATES =
      Set.of("completed", "stopped_early", "failed", "diverged", "interrupted");

  private static final String STATE = "state";

  /** Whether it is a last word: full progress, or a state that ends. */
  static boolean isFinal(TrainerStatus report) {
    Integer progress = report.progressPercentage();
    return (progress != null && progress == COMPLETE)
        || (report.metrics() != null && report.metrics().stream().anyMatch(Reports::ends));
  }

  private static boolean ends(Metric metric) {
    return STATE.equals(metric.name()) && LAST_STATES.contains(metric.value());
  }

  /**
   * Whether a report that waited must give way to the one that is stored, which another replica may
   * have written meanwhile: to a later one, and to a last word of the same second (times are whole
   * seconds). An earlier last word is that of a run before: the training was started again.
   *
   * @param stored null when there is none
   */
  static boolean isOvertaken(TrainerStatus waiting, TrainerStatus stored) {
    if (stored == null) {
      return false;
    }
    if (stored.lastUpdatedTime() == null || waiting.lastUpdatedTime() == null) {
      return isFinal(stored);
    }
    int order = stored.lastUpdatedTime().compareTo(waiting.lastUpdatedTime());
    return order > 0 || (order == 0 && isFinal(stored));
  }

  private Reports() {}
}
