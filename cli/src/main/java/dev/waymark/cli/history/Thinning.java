package dev.waymark.cli.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Makes a long curve short, so that what remains is spread evenly over the whole of it. The same
 * remains whether it is thinned once or again and again while it grows.
 */
final class Thinning {

  private Thinning() {}

  /**
   * At most {@code max} of the points, in their order: the first, the last, and the first of each
   * stretch of 2^n, for the least n that leaves few enough. Each stretch is two of the next smaller
   * ones, so thinning further never moves what stays.
   *
   * @param points in ascending position
   * @param max at least 2
   */
  static <T> List<T> evenly(List<T> points, int max, ToLongFunction<T> position) {
    List<T> kept = points;
    for (int n = 0; kept.size() > max; n++) {
      kept = firstOfEachStretch(kept, n, position);
    }
    return List.copyOf(kept);
  }

  private static <T> List<T> firstOfEachStretch(List<T> points, int n, ToLongFunction<T> position) {
    long start = position.applyAsLong(points.get(0));
    long stretch = -1;
    List<T> kept = new ArrayList<>();
    for (T point : points) {
      long stretchOfThis = (position.applyAsLong(point) - start) >> n;
      if (stretchOfThis > stretch) {
        kept.add(point);
        stretch = stretchOfThis;
      }
    }
    T last = points.get(points.size() - 1);
    if (!kept.get(kept.size() - 1).equals(last)) {
      kept.add(last);
    }
    return kept;
  }
}
