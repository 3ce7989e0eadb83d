package dev.waymark.samples.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One report that the status endpoint has accepted. */
public final class Report {
  private final JsonNode line;

  /**
   * @param line of the record, which also tells for which TrainJob the report came
   */
  Report(JsonNode line) {
    this.line = line;
  }

  /** When the status endpoint took it. */
  public Instant receivedAt() {
    return Instant.parse(line.path("receivedAt").asText());
  }

  /** Namespace and name of the TrainJob, as in {@code default/iris}. */
  public String trainJob() {
    return line.path("trainJob").asText();
  }

  /** The percentage, 0 to 100; null if the report has none. */
  public Integer percent() {
    JsonNode percent = status().get("progressPercentage");
    return percent == null ? null : percent.asInt();
  }

  /** The seconds left; null if the report has none. */
  public Integer secondsLeft() {
    JsonNode seconds = status().get("estimatedRemainingSeconds");
    return seconds == null ? null : seconds.asInt();
  }

  /** Whether the run went on at that time. */
  boolean isUnderWay() {
    return Arrays.asList("running", "evaluating").contains(metric("state"));
  }

  /** The value of a metric; null if the report has none of this name. */
  public String metric(String name) {
    for (JsonNode metric : status().path("metrics")) {
      if (metric.path("name").asText().equals(name)) {
        return metric.path("value").asText();
      }
    }
    return null;
  }

  /** The value of a metric as a number; not a number if the report has none of this name. */
  public double number(String name) {
    String value = metric(name);
    return value == null ? Double.NaN : Double.parseDouble(value);
  }

  /** The names of all its metrics, in its order. */
  public List<String> metricNames() {
    List<String> names = new ArrayList<>();
    for (JsonNode metric : status().path("metrics")) {
      names.add(metric.path("name").asText());
    }
    return names;
  }

  private JsonNode status() {
    return line.path("trainerStatus");
  }

  @Override
  public String toString() {
    return line.toString();
  }
}
