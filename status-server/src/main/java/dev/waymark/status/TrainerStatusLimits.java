package dev.waymark.status;

import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The limits that the TrainJob CRD sets to a trainer status, in the API server's own words (as of
 * Kubernetes 1.36). A client can't tell a refusal made here from one made by a real API server.
 */
public final class TrainerStatusLimits {

  /** Highest progress, in percent; the lowest is 0. */
  public static final int MAX_PROGRESS_PERCENTAGE = 100;

  /** Most metrics in one status. */
  public static final int MAX_METRICS = 256;

  /** Most characters (Unicode code points) in a metric's name and in its value; at least 1. */
  public static final int MAX_METRIC_TEXT = 64;

  /**
   * The API server leaves CEL rules out after an error that makes them pointless to check, and says
   * so in one more error.
   */
  private static final String RULES_NOT_CHECKED =
      "<nil>: Invalid value: null: some validation rules were not checked because the object was"
          + " invalid; correct the existing errors to complete validation";

  private final List<String> errors = new ArrayList<>();
  private boolean rulesNotChecked;

  private TrainerStatusLimits() {}

  /**
   * Checks a status.
   *
   * @param trainJobName stands in the message
   * @return the message of the API server's refusal; empty when it would accept the status
   */
  public static Optional<String> violation(String trainJobName, TrainerStatus status) {
    TrainerStatusLimits limits = new TrainerStatusLimits();
    limits.check(status);
    return limits.message(trainJobName);
  }

  private void check(TrainerStatus status) {
    checkRange("progressPercentage", status.progressPercentage(), MAX_PROGRESS_PERCENTAGE);
    checkRange("estimatedRemainingSeconds", status.estimatedRemainingSeconds(), Integer.MAX_VALUE);
    if (status.metrics() != null) {
      checkMetrics(status.metrics());
    }
    if (status.lastUpdatedTime() == null) {
      addError(
          "lastUpdatedTime",
          "Invalid value: \"null\": trainerStatus.lastUpdatedTime in body must be of type string:"
              + " \"null\"");
      rulesNotChecked = true;
    }
  }

  private void checkRange(String field, Integer value, int max) {
    if (value != null && (value < 0 || value > max)) {
      addError(
          field,
          "Invalid value: "
              + value
              + ": trainerStatus."
              + field
              + " in body should be "
              + (value < 0 ? "greater than or equal to 0" : "less than or equal to " + max));
    }
  }

  private void checkMetrics(List<Metric> metrics) {
    for (int i = 0; i < metrics.size(); i++) {
      checkText(i, "name", metrics.get(i).name());
      checkText(i, "value", metrics.get(i).value());
    }
    if (metrics.size() > MAX_METRICS) {
      addError(
          "metrics",
          "Too many: " + metrics.size() + ": must have at most " + MAX_METRICS + " items");
      rulesNotChecked = true;
    }
  }

  private void checkText(int metric, String part, String text) {
    if (text == null || text.isEmpty()) {
      String field = field(metric, part);
      addError(
          field,
          "Invalid value: \"\": trainerStatus."
              + field
              + " in body should be at least 1 chars long");
    } else if (text.codePointCount(0, text.length()) > MAX_METRIC_TEXT) {
      // It says bytes and counts code points.
      addError(field(metric, part), "Too long: may not be more than " + MAX_METRIC_TEXT + " bytes");
      rulesNotChecked = true;
    }
  }

  private static String field(int metric, String part) {
    return "metrics[" + metric + "]." + part;
  }

  private void addError(String field, String error) {
    errors.add("status.trainerStatus." + field + ": " + error);
  }

  private Optional<String> message(String trainJobName) {
    if (errors.isEmpty()) {
      return Optional.empty();
    }
    if (rulesNotChecked) {
      errors.add(RULES_NOT_CHECKED);
    }
    String list = errors.size() == 1 ? errors.get(0) : "[" + String.join(", ", errors) + "]";
    return Optional.of(
        "TrainJob.trainer.kubeflow.org \"" + trainJobName + "\" is invalid: " + list);
  }
}
