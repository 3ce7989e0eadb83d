package dev.waymark.reporter;

import java.util.Locale;

/** What a run is doing, or how it has ended; the metric {@code state}. */
enum RunState {
  RUNNING,
  EVALUATING,
  COMPLETED,
  STOPPED_EARLY,
  FAILED,
  DIVERGED,
  INTERRUPTED;

  private final String reported = name().toLowerCase(Locale.ROOT);

  boolean isEnd() {
    return this != RUNNING && this != EVALUATING;
  }

  /** The state as it stands in a report, for instance {@code stopped_early}. */
  String reported() {
    return reported;
  }
}
