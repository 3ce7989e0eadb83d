package dev.waymark.cli.run;

import dev.waymark.cli.history.RecordedRun;
import dev.waymark.cli.terminal.ProgressDisplay;
import dev.waymark.status.InMemoryStatusSink;
import dev.waymark.status.InMemoryStatusSink.Report;
import dev.waymark.status.StatusSink;
import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.TrainerStatus;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Takes the reports of a run and hands each to all who want it: terminal, record, history. Safe for
 * use by several threads.
 */
final class RunReports {

  private final ProgressDisplay display;
  private final RecordedRun history;
  private final RunRecord record;
  private final Consumer<String> warnings;

  private TrainerStatus newest;
  private String lastRefusal;
  private boolean recordFailed;

  /**
   * @param history null when none is kept
   * @param record null when none is wanted
   */
  RunReports(
      ProgressDisplay display, RecordedRun history, RunRecord record, Consumer<String> warnings) {
    this.display = display;
    this.history = history;
    this.record = record;
    this.warnings = warnings;
  }

  /** What the endpoint writes to. */
  StatusSink sink(TrainJobKey trainJob) {
    StatusSink sink = new InMemoryStatusSink(Set.of(trainJob), Clock.systemUTC(), this::accepted);
    return (key, status) -> sink.write(key, status).whenComplete((o, failure) -> note(o));
  }

  /** Notes why a report did not get in. */
  synchronized void refused(String reason) {
    lastRefusal = reason;
  }

  synchronized Optional<TrainerStatus> newest() {
    return Optional.ofNullable(newest);
  }

  synchronized Optional<String> lastRefusal() {
    return Optional.ofNullable(lastRefusal);
  }

  private void note(StatusSink.Outcome outcome) {
    if (outcome instanceof StatusSink.Outcome.Invalid invalid) {
      refused(invalid.message());
    } else if (outcome instanceof StatusSink.Outcome.TrainJobNotFound) {
      refused("it names another TrainJob");
    }
  }

  private synchronized void accepted(Report report) {
    newest = report.status();
    display.show(report.status());
    if (history != null) {
      history.report(report.receivedAt(), report.status());
    }
    if (record != null && !recordFailed) {
      try {
        record.append(report);
      } catch (IOException e) {
        // The training must not suffer from a full disk.
        recordFailed = true;
        warnings.accept("The record ends here: " + e.getMessage());
      }
    }
  }
}
