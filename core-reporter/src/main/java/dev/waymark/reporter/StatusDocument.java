package dev.waymark.reporter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
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
 * <p>What doesn't fit is left out from the end, so what matters most comes first: Waymark's own
 * metrics, then the program's, then the accelerators'. Immutable.
 */
final class StatusDocument {
  static final int MOST_METRICS = 256;

  /** Below the server's 65,536, so that neither a proxy nor a stricter server minds. */
  static final int MOST_BYTES = 60_000;

  private static final String METRICS = ",\"metrics\":[";

  private final int percent;
  private final int remainingSeconds;

  /** The metrics as JSON objects, each within the limits. */
  private final List<String> metrics;

  /** How many of them are Waymark's own; they come first. */
  private final int own;

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
    run.others().forEach(metric -> add(names, metric.name(), metric.value()));
    figures.forEach((name, value) -> add(names, name, value.toString()));
  }

  private void add(UniqueNames names, String name, String value) {
    if (metrics.size() < MOST_METRICS) {
      String unique = names.uniqueFor(name);
      if (unique != null) {
        metrics.add("{\"name\":" + quoted(unique) + ",\"value\":" + quoted(value) + "}");
      }
    }
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
  Report report(long number, boolean ended, Instant time) {
    return new Report(
        number,
        ended,
        json(metrics, time),
        json(metrics.subList(0, own), time),
        json(List.of(), time));
  }

  private byte[] json(List<String> someMetrics, Instant time) {
    // The time is the one member that is always there, so it needs no thought about commas before
    // it.
    String head =
        "{\"trainerStatus\":{\"lastUpdatedTime\":\"" + time.truncatedTo(ChronoUnit.SECONDS) + "\"";
    StringBuilder numbers = new StringBuilder(head);
    if (percent != RunSnapshot.UNKNOWN) {
      numbers.append(",\"progressPercentage\":").append(percent);
    }
    if (remainingSeconds != RunSnapshot.UNKNOWN) {
      numbers.append(",\"estimatedRemainingSeconds\":").append(remainingSeconds);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(numbers.toString().getBytes(UTF_8));
    writeMetrics(out, someMetrics);
    out.writeBytes("}}".getBytes(UTF_8));
    return out.toByteArray();
  }

  private static void writeMetrics(ByteArrayOutputStream out, List<String> metrics) {
    if (metrics.isEmpty()) {
      return;
    }
    out.writeBytes(METRICS.getBytes(UTF_8));
    String separator = "";
    for (String metric : metrics) {
      byte[] bytes = (separator + metric).getBytes(UTF_8);
      if (out.size() + bytes.length + "]}}".length() > MOST_BYTES) {
        break;
      }
      out.writeBytes(bytes);
      separator = ",";
    }
    out.write(']');
  }

  /** A JSON string. Names hold no control characters any more, and values are numbers or states. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
