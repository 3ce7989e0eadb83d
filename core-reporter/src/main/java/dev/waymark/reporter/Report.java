package dev.waymark.reporter;

/**
 * One snapshot of a run, ready to be sent.
 *
 * <p>Every report is complete, because the server replaces the whole status with it. A report comes
 * in three sizes, so that a server which refuses the metrics still learns the progress. Immutable;
 * the arrays are not to be changed.
 */
final class Report {
  private final boolean ended;
  private final byte[] full;
  private final byte[] essential;
  private final byte[] bare;

  Report(boolean ended, byte[] full, byte[] essential, byte[] bare) {
    this.ended = ended;
    this.full = full;
    this.essential = essential;
    this.bare = bare;
  }

  /**
   * Whether the run that this report speaks of has ended: its last word, which must not be lost.
   */
  boolean ended() {
    return ended;
  }

  /** The JSON document with all metrics, UTF-8, at most 60,000 bytes. */
  byte[] full() {
    return full;
  }

  /** The JSON document with Waymark's own metrics only (state, run, steps, epochs, loss, rate). */
  byte[] essential() {
    return essential;
  }

  /** The JSON document without metrics: progress, remaining time, time of the report. */
  byte[] bare() {
    return bare;
  }
}
