package dev.waymark.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/** The few statistics that the tables use. */
final class Samples {

  private Samples() {}

  static double median(List<Double> samples) {
    List<Double> sorted = samples.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  static double mean(List<Double> samples) {
    return samples.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /**
   * The median of the ratios of pairs, which a slow minute of the machine hurts less than medians.
   */
  static double medianRatio(List<Double> samples, List<Double> baseline) {
    return medianOfPairs(samples, baseline, (sample, base) -> sample / base);
  }

  /** The median of the differences of pairs. */
  static double medianDifference(List<Double> samples, List<Double> baseline) {
    return medianOfPairs(samples, baseline, (sample, base) -> sample - base);
  }

  private static double medianOfPairs(
      List<Double> samples, List<Double> baseline, DoubleBinaryOperator compared) {
    List<Double> pairs = new ArrayList<>();
    for (int i = 0; i < Math.min(samples.size(), baseline.size()); i++) {
      pairs.add(compared.applyAsDouble(samples.get(i), baseline.get(i)));
    }
    return median(pairs);
  }
}
