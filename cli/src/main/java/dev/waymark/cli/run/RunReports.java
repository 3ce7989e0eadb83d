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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Takes the reports of a run and hands each to all who want it: terminal, record, history. Who
 * reports waits for none of them. Safe for use by several threads.
 */
final class RunReports {

  private final ProgressDisplay display;
  private final RecordedRun history;
  private final RunRecord record;
  private final Consumer<String> warnings;

  /**
   * Each with a thread and a queue of its own: a terminal that stands still (Ctrl-S) must not keep
   * reports from the page. Reports come about once a second, so a queue stays small.
   */
  private final ExecutorService keeping = queue("waymark-keeping");

  private final ExecutorService showing = queue("waymark-showing");

  private TrainerStatus newest;
  private String lastRefusal;

  /** Used by the keeping thread alone. */
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

  /** On the endpoint's event loop, which must not wait for a disk or a terminal. */
  private void accepted(Report report) {
    synchronized (this) {
      newest = report.status();
    }
    keeping.execute(() -> keep(report));
    showing.execute(() -> display.show(report.status()));
  }

  private void keep(Report report) {
    if (history != null) {
      history.report(report.receivedAt(), report.status());
    }
    if (record != null && !recordFailed) {
      try {
        record.append(report);
      } catch (IOException e) {
        // The training must not suffer from a full disk.
        recordFailed = true;
        showing.execute(() -> warnings.accept(e.getMessage() + ". It ends here"));
      }
    }
  }

  /** Waits until all reports so far are in record and history. */
  void awaitKept() throws InterruptedException {
    drain(keeping);
  }

  /** Waits until all reports so far have been shown. */
  void awaitShown() throws InterruptedException {
    drain(showing);
  }

  private static void drain(ExecutorService queue) throws InterruptedException {
    try {
      queue.submit(() -> {}).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("An empty task does not fail", e);
    }
  }

  private static ExecutorService queue(String name) {
    return Executors.newSingleThreadExecutor(
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
  }
}
