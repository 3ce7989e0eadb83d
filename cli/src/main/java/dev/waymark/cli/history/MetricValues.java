package dev.waymark.cli.history;

import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The metrics of a report, by name. */
public final class MetricValues {

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
  private static final Pattern NOT_FINITE =
      Pattern.compile("[+-]?(nan|inf|infinity)", Pattern.CASE_INSENSITIVE);

  private final Map<String, String> values = new HashMap<>();

  private MetricValues() {}

  /** Of a report, which may have none. */
  public static MetricValues of(TrainerStatus status) {
    MetricValues result = new MetricValues();
    for (Metric metric : metrics(status)) {
      result.values.put(metric.name(), metric.value());
    }
    return result;
  }

  /** As they were reported, in their order. */
  public static List<Metric> metrics(TrainerStatus status) {
    return status.metrics() == null ? List.of() : status.metrics();
  }

  /** The word that was reported, or null. */
  public String word(String name) {
    return values.get(name);
  }

  /** The finite number that was reported, or null. */
  public Double number(String name) {
    Double number = values.containsKey(name) ? parse(values.get(name)) : null;
    return number == null || number.isNaN() ? null : number;
  }

  /** The number of at least 0 that was reported, without its fraction, or null. */
  public Long count(String name) {
    Double number = number(name);
    return number == null || number < 0 || number > 1L << 53 ? null : (long) (double) number;
  }

  /** The number that a value says, NaN for one that isn't finite, or null for a word. */
  static Double parse(String value) {
    if (NUMBER.matcher(value).matches()) {
      double number = Double.parseDouble(value);
      return Double.isInfinite(number) ? Double.NaN : number;
    }
    return NOT_FINITE.matcher(value).matches() ? Double.NaN : null;
  }
}
