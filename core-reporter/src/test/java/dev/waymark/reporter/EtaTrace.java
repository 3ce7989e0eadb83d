package dev.waymark.reporter;

import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** One of the sessions under {@code eta-traces}; its README tells what they are. */
record EtaTrace(
    String name, long startStep, long totalSteps, List<Event> events, List<Double> reference) {
  private static final JsonNode INDEX = json("index.json");
  private static final JsonNode ACCEPTANCE = json("acceptance.json");

  record Event(long step, long nanos, String what) {
    boolean is(String other) {
      return what.equals(other);
    }
  }

  static Stream<EtaTrace> all() {
    Iterable<String> names = INDEX::fieldNames;
    return StreamSupport.stream(names.spliterator(), false).map(EtaTrace::load);
  }

  static EtaTrace load(String name) {
    return new EtaTrace(
        name,
        INDEX.get(name).get("start_step").asLong(),
        INDEX.get(name).get("max_steps").asLong(),
        rows(
            "traces/" + name + ".csv",
            row -> new Event(Long.parseLong(row[0]), nanos(row[1]), row[2])),
        rows("adaptive/" + name + ".csv", row -> Double.valueOf(row[2])));
  }

  double mostError() {
    return ACCEPTANCE.get(name).get("max_mape").asDouble();
  }

  double errorOfHuggingFace() {
    return ACCEPTANCE.get(name).get("hf_mape").asDouble();
  }

  long endNanos() {
    return events.get(events.size() - 1).nanos();
  }

  /** Scores the estimates of the step ends, in order; one that is negative was not given. */
  double meanErrorPercent(List<Double> estimates) {
    long from = startStep + (long) (0.05 * (totalSteps - startStep));
    List<Event> stepEnds = events.stream().filter(e -> e.is("step_end")).collect(toList());
    List<Double> errors = new ArrayList<>();
    for (int i = 0; i < stepEnds.size(); i++) {
      double truth = (endNanos() - stepEnds.get(i).nanos()) / 1e9;
      if (stepEnds.get(i).step() > from && truth >= 5 && estimates.get(i) >= 0) {
        errors.add(Math.abs(Math.rint(estimates.get(i)) - truth) / truth);
      }
    }
    return 100 * errors.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  @Override
  public String toString() {
    return name;
  }

  private static long nanos(String seconds) {
    return new BigDecimal(seconds).movePointRight(9).longValueExact();
  }

  private static <T> List<T> rows(String file, Function<String[], T> row) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8))) {
      return lines.lines().skip(1).map(line -> row.apply(line.split(","))).collect(toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode json(String file) {
    try (InputStream in = open(file)) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String file) {
    return EtaTrace.class.getResourceAsStream("/eta-traces/" + file);
  }
}
