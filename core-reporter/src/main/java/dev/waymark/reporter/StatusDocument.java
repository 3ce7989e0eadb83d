package dev.waymark.reporter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The JSON that the status endpoint takes: {@code {"trainerStatus": {...}}} of the Kubeflow Trainer
 * API v1alpha1, within its limits (256 metrics, names and values of at most 64 characters, a body
 * of 64 KiB, whole numbers of 32 bits).
 *
 * <p>What doesn't fit is left out from the end, so what can grow without bound comes last:
 * Waymark's own metrics, then the accelerators', then the program's. What a program or a listener
 * tells of an accelerator that its vendor's tool tells too is not told twice. Immutable.
 */
final class StatusDocument {
  static final int MOST_METRICS = 256;

  /** Below the server's 65,536, so that neither a proxy nor a stricter server minds. */
  static final int MOST_BYTES = 60_000;

  private static final String METRICS = ",\"metrics\":[";

  /** More than all that is no metric takes. */
  private static final int BYTES_OF_THE_REST = 200;

  private final int percent;
  private final int remainingSeconds;

  /** The metrics as JSON objects, each within the limits. */
  private final List<String> metrics;

  /** How many of them are Waymark's own; they come first. */
  private final int own;

  private int metricsBytes;
  private boolean cutOff;

  /**
   * @param figures the accelerators' figures by metric name
   */
  StatusDocument(RunSnapshot run, Map<String, Long> figures) {
    percent = run.percent();
    remainingSeconds = (int) Math.min(Integer.MAX_VALUE, run.remainingSeconds());
    metrics = new ArrayList<>();
    UniqueNames names = new UniqueNames();
    run.own().forEach(metric -> add(names, metric.name(), metric.value()));
    own = metrics.size();
    figures.forEach((name, value) -> add(names, name, value.toString()));
    for (Metric metric : run.others()) {
      if (!figures.containsKey(metric.name())) {
        add(names, metric.name(), metric.value());
      }
    }
  }

  private void add(UniqueNames names, String name, String value) {
    if (cutOff) {
      return;
    }
    String unique = names.uniqueFor(name);
    if (unique == null) {
      return;
    }
    String metric = "{\"name\":" + quoted(unique) + ",\"value\":" + quoted(value) + "}";
    int bytes = metric.getBytes(UTF_8).length + ",".length();
    if (metrics.size() == MOST_METRICS || metricsBytes + bytes > MOST_BYTES - BYTES_OF_THE_REST) {
      cutOff = true;
      return;
    }
    metrics.add(metric);
    metricsBytes += bytes;
  }

  /** Whether there are metrics that found no room. */
  boolean isCutOff() {
    return cutOff;
  }

  /** Whether another document would tell the server the same, but for the time. */
  boolean saysTheSameAs(StatusDocument other) {
    return other != null
        && percent == other.percent
        && remainingSeconds == other.remainingSeconds
        && metrics.equals(other.metrics);
  }

  /**
   * The document as a report, in its three sizes.
   *
   * @param time becomes {@code lastUpdatedTime}, in whole seconds
   */
  Report report(boolean ended, Instant time) {
    return new Report(
        ended, json(metrics, time), json(metrics.subList(0, own), time), json(List.of(), time));
  }

  private byte[] json(List<String> someMetrics, Instant time) {
    // The time is the one member that is always there, so it needs no thought about commas before
    // it.
    String head =
        "{\"trainerStatus\":{\"lastUpdatedTime\":\"" + time.truncatedTo(ChronoUnit.SECONDS) + "\"";
    StringBuilder document = new StringBuilder(head);
    if (percent != RunSnapshot.UNKNOWN) {
      document.append(",\"progressPercentage\":").append(percent);
    }
    if (remainingSeconds != RunSnapshot.UNKNOWN) {
      document.append(",\"estimatedRemainingSeconds\":").append(remainingSeconds);
    }
    if (!someMetrics.isEmpty()) {
      document.append(METRICS).append(String.join(",", someMetrics)).append(']');
    }
    return document.append("}}").toString().getBytes(UTF_8);
  }

  /** A JSON string. Names hold no control characters any more, and values are numbers or states. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
