package dev.waymark.reporter;

import java.util.List;

/** What there is to report of a run at one moment. Immutable. */
final class RunSnapshot {
  /** Stands for a percentage or a time that is not known. */
  static final int UNKNOWN = -1;

  private final RunState state;
  private final int percent;
  private final long remainingSeconds;
  private final List<Metric> own;
  private final List<Metric> others;
  private final boolean metricsLeftOut;

  RunSnapshot(
      RunState state,
      int percent,
      long remainingSeconds,
      List<Metric> own,
      List<Metric> others,
      boolean metricsLeftOut) {
    this.state = state;
    this.percent = percent;
    this.remainingSeconds = remainingSeconds;
    this.own = List.copyOf(own);
    this.others = List.copyOf(others);
    this.metricsLeftOut = metricsLeftOut;
  }

  RunState state() {
    return state;
  }

  /** 0 to 100, or {@link #UNKNOWN}. */
  int percent() {
    return percent;
  }

  /** 0 or more, or {@link #UNKNOWN}. */
  long remainingSeconds() {
    return remainingSeconds;
  }

  /** Waymark's own metrics: state, run, steps, epochs, loss, learning rate. */
  List<Metric> own() {
    return own;
  }

  /** The program's metrics. */
  List<Metric> others() {
    return others;
  }

  /** Whether the program reports more metrics than can be. */
  boolean metricsLeftOut() {
    return metricsLeftOut;
  }
}
