package dev.waymark.cli.history;

import dev.waymark.cli.history.Entry.Ended;
import dev.waymark.cli.history.Entry.Reported;
import dev.waymark.trainer.api.TrainerStatus;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A {@code waymark run} that is being recorded. No method throws when the disk fails: the recording
 * goes on in memory, and one warning says so. Safe for use by several threads; a call may write to
 * disk, as a rule one line.
 */
public final class RecordedRun {

  private final RunHistory history;
  private final HistoryLimits limits;
  private Recording recording;

  /** Null once the disk has failed. */
  private RecordingFile file;

  RecordedRun(RunHistory history, HistoryLimits limits, Recording recording, RecordingFile file) {
    this.history = history;
    this.limits = limits;
    this.recording = recording;
    this.file = file;
  }

  /** Adds a report that the endpoint accepted. Does nothing once the process has ended. */
  public void report(Instant receivedAt, TrainerStatus status) {
    synchronized (this) {
      if (recording.hasEnded()) {
        return;
      }
      Reported report = new Reported(receivedAt, status);
      recording.add(report);
      write(report);
      keepWithinLimits();
    }
    history.changed();
  }

  /** The command's process has ended. Only the first call counts. */
  public void ended(int exitCode, Instant at) {
    synchronized (this) {
      if (recording.hasEnded()) {
        return;
      }
      Ended end = new Ended(at, exitCode);
      recording.end(end);
      write(end);
      closeFile();
    }
    history.ended(recording.name(), this);
  }

  private void write(Entry entry) {
    if (file == null) {
      return;
    }
    try {
      file.append(entry);
    } catch (IOException e) {
      giveUp(e);
    }
  }

  /**
   * Thins to half of what is allowed, so that it happens seldom; further while the reports are so
   * large that the file is still too big.
   */
  private void keepWithinLimits() {
    boolean tooBig = file != null && file.size() > limits.maxBytesPerRecording();
    if (!tooBig && !recording.exceeds(limits.maxRunsPerRecording(), limits.maxPointsPerRun())) {
      return;
    }
    int points = limits.maxPointsPerRun();
    do {
      points = Math.max(2, points / 2);
      recording = recording.thinned(limits.maxRunsPerRecording(), points);
      rewriteFile();
    } while (file != null && file.size() > limits.maxBytesPerRecording() / 2 && points > 2);
  }

  private void rewriteFile() {
    if (file == null) {
      return;
    }
    try {
      file.rewrite(recording);
    } catch (IOException e) {
      giveUp(e);
    }
  }

  private void closeFile() {
    if (file == null) {
      return;
    }
    try {
      file.force();
      file.close();
    } catch (IOException e) {
      giveUp(e);
    }
  }

  private void giveUp(IOException cause) {
    history.warnOfDisk(cause);
    try {
      file.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    file = null;
  }

  /** Whether all of it can be read from disk. */
  synchronized boolean isOnDisk() {
    return file != null;
  }

  synchronized List<RunSummary> summaries() {
    return recording.summaries(true);
  }

  synchronized Optional<RunDetail> detail(int number) {
    return recording.detail(number, true);
  }
}
