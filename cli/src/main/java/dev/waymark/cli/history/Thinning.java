package dev.waymark.cli.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Makes a long curve short, so that what remains is spread evenly over the whole of it. */
final class Thinning {

  private Thinning() {}

  /**
   * At most {@code max} of the points, in their order: the first, the last, and the last one of
   * each of {@code max - 2} equal stretches between them.
   *
   * @param points in ascending position
   * @param max at least 2
   */
  static <T> List<T> evenly(List<T> points, int max, ToLongFunction<T> position) {
    if (points.size() <= max) {
      return List.copyOf(points);
    }
    int last = points.size() - 1;
    long from = position.applyAsLong(points.get(0));
    double stretch = (double) (position.applyAsLong(points.get(last)) - from) / (max - 2);
    List<T> kept = new ArrayList<>(max);
    kept.add(points.get(0));
    for (int i = 1; i < last && kept.size() < max - 1; i++) {
      long stretchOfThis = stretchOf(points.get(i), position, from, stretch);
      long stretchOfNext = stretchOf(points.get(i + 1), position, from, stretch);
      if (stretchOfThis != stretchOfNext) {
        kept.add(points.get(i));
      }
    }
    kept.add(points.get(last));
    return kept;
  }

  private static <T> long stretchOf(
      T point, ToLongFunction<T> position, long from, double stretch) {
    return (long) ((position.applyAsLong(point) - from) / stretch);
  }
}
