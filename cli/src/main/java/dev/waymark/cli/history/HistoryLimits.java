package dev.waymark.cli.history;

/**
 * How much the history keeps.
 *
 * @param maxRecordings files, one for each {@code waymark run}; the newest stay
 * @param maxRunsPerRecording trainings that one process ran in turn; the newest stay
 * @param maxPointsPerRun reports of one training; when there are more, they are thinned evenly
 * @param maxBytesPerRecording size of a file; when it grows larger, it is thinned
 * @param maxBytes size of all files together; the oldest go first
 */
public record HistoryLimits(
    int maxRecordings,
    int maxRunsPerRecording,
    int maxPointsPerRun,
    long maxBytesPerRecording,
    long maxBytes) {

  public static final HistoryLimits DEFAULT =
      new HistoryLimits(100, 100, 2_000, 4L << 20, 64L << 20);

  /** A file that nobody who keeps these limits can have written. */
  long absurdFileSize() {
    return 4 * maxBytesPerRecording;
  }
}
