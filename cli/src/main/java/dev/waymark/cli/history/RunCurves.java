package dev.waymark.cli.history;

import dev.waymark.cli.history.Entry.Reported;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a run reported, as curves over a common axis.
 *
 * @param axis what {@code x} counts
 * @param x ascending, each value once
 * @param series in the order in which they were first reported
 */
public record RunCurves(Axis axis, List<Double> x, List<Series> series) {

  /**
   * What the curves lie over: steps, or seconds since the run began where steps aren't reported.
   */
  public enum Axis {
    STEP,
    SECONDS
  }

  /**
   * A metric's values.
   *
   * @param name as reported
   * @param values one for each x: a number, NaN where the program reported that it isn't finite,
   *     null where nothing (or nothing new) was reported
   */
  public record Series(String name, List<Double> values) {}

  private static final int MAX_SERIES = 64;

  /** Beyond this, the range of an axis can't be computed with doubles. */
  private static final double MAX_MAGNITUDE = 1e150;

  /** Figures that say where the run stands; they are no curves. */
  private static final Set<String> NOT_CURVES =
      Set.of("run", "state", "current_step", "total_steps", "current_epoch", "total_epochs");

  static RunCurves of(List<Reported> reports) {
    List<MetricValues> values = reports.stream().map(r -> MetricValues.of(r.status())).toList();
    boolean steps = values.stream().anyMatch(v -> v.number("current_step") != null);
    TreeMap<Double, Integer> lastReportAt = new TreeMap<>();
    List<Double> positions = positions(reports, values, steps);
    for (int i = 0; i < positions.size(); i++) {
      lastReportAt.put(positions.get(i), i);
    }
    Map<Double, Integer> columns = new LinkedHashMap<>();
    lastReportAt.keySet().forEach(x -> columns.put(x, columns.size()));

    Map<String, CurveBuilder> curves = new LinkedHashMap<>();
    for (int i = 0; i < reports.size(); i++) {
      for (Metric metric : MetricValues.metrics(reports.get(i).status())) {
        Double number = NOT_CURVES.contains(metric.name()) ? null : parse(metric.value());
        if (number == null || (curves.size() == MAX_SERIES && !curves.containsKey(metric.name()))) {
          continue;
        }
        curves
            .computeIfAbsent(metric.name(), name -> new CurveBuilder(name, columns.size()))
            .add(columns.get(positions.get(i)), number, values.get(i).count("current_epoch"));
      }
    }
    return new RunCurves(
        steps ? Axis.STEP : Axis.SECONDS,
        List.copyOf(columns.keySet()),
        curves.values().stream().map(CurveBuilder::build).toList());
  }

  private static Double parse(String value) {
    Double number = MetricValues.parse(value);
    return number != null && Math.abs(number) > MAX_MAGNITUDE ? Double.valueOf(Double.NaN) : number;
  }

  private static List<Double> positions(
      List<Reported> reports, List<MetricValues> values, boolean steps) {
    List<Double> positions = new ArrayList<>();
    double step = 0;
    for (int i = 0; i < reports.size(); i++) {
      if (steps) {
        Double reported = values.get(i).number("current_step");
        step = reported == null ? step : reported;
        positions.add(step);
      } else {
        Instant start = reports.get(0).receivedAt();
        positions.add(Duration.between(start, reports.get(i).receivedAt()).toMillis() / 1e3);
      }
    }
    return positions;
  }

  /**
   * A curve while it is collected. Every report repeats the last evaluation's figures until the
   * next one: only where an {@code eval_} figure or the epoch is a new one, there was an
   * evaluation.
   */
  private static final class CurveBuilder {
    private final String name;
    private final Double[] values;
    private Double lastNumber;
    private Long lastEpoch;

    CurveBuilder(String name, int columns) {
      this.name = name;
      this.values = new Double[columns];
    }

    void add(int column, Double number, Long epoch) {
      boolean repeated =
          name.startsWith("eval_") && number.equals(lastNumber) && Objects.equals(epoch, lastEpoch);
      if (!repeated) {
        values[column] = number;
      }
      lastNumber = number;
      lastEpoch = epoch;
    }

    Series build() {
      return new Series(name, Collections.unmodifiableList(Arrays.asList(values)));
    }
  }
}
