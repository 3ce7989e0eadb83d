package dev.waymark.reporter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The newest values of the metrics that a program reports, in the order in which it first named
 * them. A known name costs no allocation. Bounded, so that a program which makes up names as it
 * goes can't fill the heap. Not thread-safe.
 */
final class MetricTable {
  /** More could not be reported anyway: {@link StatusDocument#MOST_METRICS}. */
  private static final int MOST_NAMES = StatusDocument.MOST_METRICS;

  private final Map<String, Cell> cells = new LinkedHashMap<>();
  private boolean overfull;

  /**
   * Takes in a value, if its name is known or there is room for it; a value that is not finite
   * stands for "unknown at present".
   */
  void put(String name, double value) {
    Cell cell = cells.get(name);
    if (cell == null) {
      if (cells.size() == MOST_NAMES) {
        overfull = true;
        return;
      }
      cell = new Cell();
      cells.put(name, cell);
    }
    cell.value = value;
  }

  /** The metrics that have a finite value. */
  List<Metric> finite() {
    List<Metric> metrics = new ArrayList<>(cells.size());
    cells.forEach(
        (name, cell) -> {
          if (Double.isFinite(cell.value)) {
            metrics.add(new Metric(name, cell.value));
          }
        });
    return metrics;
  }

  /** Whether there was a name that found no room. */
  boolean isOverfull() {
    return overfull;
  }

  private static final class Cell {
    private double value;
  }
}
