package dev.waymark.controller;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of the controller that can be switched off, by the names of Kubeflow Trainer. Upstream
 * has its one gate off by default; here it is on.
 *
 * @param set those that somebody set, by name
 */
public record FeatureGates(Map<String, Boolean> set) {

  private static final String TRAIN_JOB_STATUS = "TrainJobStatus";

  /** Stands for all gates of a stage, as in Kubernetes; a gate's own setting wins over it. */
  private static final String ALL_ALPHA = "AllAlpha";

  private static final String ALL_BETA = "AllBeta";

  static final List<String> NAMES = List.of(TRAIN_JOB_STATUS, ALL_ALPHA, ALL_BETA);

  /** All defaults. */
  public static final FeatureGates DEFAULTS = new FeatureGates(Map.of());

  public FeatureGates {
    set = Map.copyOf(set);
  }

  /** The status server, and what pods need to report to it. */
  public boolean trainJobStatus() {
    return set.getOrDefault(TRAIN_JOB_STATUS, set.getOrDefault(ALL_ALPHA, Boolean.TRUE));
  }

  /** These gates, and over them others. */
  FeatureGates with(Map<String, Boolean> others) {
    Map<String, Boolean> all = new LinkedHashMap<>(set);
    all.putAll(others);
    return new FeatureGates(all);
  }

  /**
   * Reads the text of {@code --feature-gates}.
   *
   * @throws CommandLine.UsageException with all that is wrong
   */
  static Map<String, Boolean> parse(String text) throws CommandLine.UsageException {
    Map<String, Boolean> gates = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    List<String> entries =
        Stream.of(text.split(",", -1)).map(String::strip).filter(it -> !it.isEmpty()).toList();
    for (String entry : entries) {
      int equals = entry.indexOf('=');
      String name = equals < 0 ? entry : entry.substring(0, equals).strip();
      String value = equals < 0 ? "" : entry.substring(equals + 1).strip().toLowerCase(Locale.ROOT);
      if (!NAMES.contains(name)) {
        problems.add("--feature-gates: " + unknown(name));
      } else if (!value.equals("true") && !value.equals("false")) {
        problems.add(
            "--feature-gates: " + name + " must be true or false, as in " + name + "=true");
      } else {
        gates.put(name, Boolean.valueOf(value));
      }
    }
    if (!problems.isEmpty()) {
      throw new CommandLine.UsageException(problems.stream().collect(Collectors.joining("\n")));
    }
    return gates;
  }

  static String unknown(String name) {
    return "there is no gate \"" + name + "\"; there is " + String.join(", ", NAMES);
  }
}
