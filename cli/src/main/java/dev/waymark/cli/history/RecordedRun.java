package dev.waymark.cli.history;

import dev.waymark.trainer.api.TrainerStatus;
import java.time.Instant;

/**
 * A run that is being recorded. No method throws when the disk fails: the run goes on in memory,
 * and one warning says so. Safe for use by several threads; each call may write one line to disk.
 */
public final class RecordedRun {

  RecordedRun() {}

  /** Adds a report that the endpoint accepted. Ignored once the run has ended. */
  public void report(Instant receivedAt, TrainerStatus status) {}

  /** The command's process has ended. Only the first call counts. */
  public void ended(int exitCode, Instant at) {}
}
