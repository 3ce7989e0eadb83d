package dev.waymark.cli.run;

import dev.waymark.cli.history.RecordedRun;
import dev.waymark.cli.history.RunHistory;
import dev.waymark.cli.page.LoopbackVertx;
import dev.waymark.cli.page.PageServer;
import dev.waymark.cli.page.RunPage;
import dev.waymark.cli.terminal.ClosingLines;
import dev.waymark.cli.terminal.Screen;
import dev.waymark.trainer.api.TrainerStatus;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a plan on this machine: the endpoint is opened, the nodes are started with what a pod would
 * give them, their reports are shown and kept, and the summary is told when they have ended.
 */
public final class LocalRun {

  /** Waymark's own failure, by the convention of {@code env} and {@code timeout}. */
  public static final int OWN_FAILURE = 125;

  private final RunPlan plan;
  private final RunOptions options;
  private boolean kept;

  private LocalRun(RunPlan plan, RunOptions options) {
    this.plan = plan;
    this.options = options;
  }

  /**
   * A run of any command, here, with this process's environment.
   *
   * @param command program and arguments, at least the program
   */
  public static LocalRun ofCommand(List<String> command, RunOptions options) {
    return new LocalRun(
        CommandPlan.of(command, System.getenv(), Path.of("").toAbsolutePath()), options);
  }

  /**
   * A run of a TrainJob.
   *
   * @param files YAML files that hold one TrainJob and its runtime
   * @throws RefusedException if the files are wrong, or ask for what this machine can't give
   */
  public static LocalRun ofTrainJob(List<Path> files, RunOptions options) throws RefusedException {
    return new LocalRun(TrainJobPlan.of(files, System.getenv(), Machine.here()), options);
  }

  /**
   * Runs the plan to its end.
   *
   * @return the program's exit code; 126 or 127 when it could not be started
   * @throws IOException when port, page or files can't be had; its message is for the user
   */
  public int run() throws IOException, InterruptedException {
    Vertx vertx = LoopbackVertx.create();
    try (Screen screen = Screen.open(plan.trainJob().name());
        RunRecord record = openRecord()) {
      plan.warnings().forEach(warning -> screen.say("Note: " + warning));
      RunHistory history = openHistory(screen);
      try (PageServer page = openPage(vertx, history)) {
        if (page != null) {
          screen.say("Page: " + page.url());
        }
        return run(vertx, screen, history, record);
      }
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  private int run(Vertx vertx, Screen screen, RunHistory history, RunRecord record)
      throws IOException, InterruptedException {
    RecordedRun recorded =
        history.begin(plan.trainJob().toString(), plan.nodes().get(0).command(), Instant.now());
    try {
      return runRecorded(vertx, screen, recorded, record);
    } finally {
      // Whatever happens: a run that nobody ended would stay among those that go on.
      recorded.ended(OWN_FAILURE, Instant.now());
    }
  }

  private int runRecorded(Vertx vertx, Screen screen, RecordedRun recorded, RunRecord record)
      throws IOException, InterruptedException {
    RunReports reports = new RunReports(screen, recorded, record, screen::say);
    int exitCode;
    Duration took;
    try (Endpoint endpoint =
        Endpoint.open(
            vertx,
            plan.trainJob(),
            options.tokenLifetime(),
            reports.sink(plan.trainJob()),
            reports::refused,
            screen::say)) {
      long startedNanos = System.nanoTime();
      exitCode = runNodes(endpoint, screen);
      took = Duration.ofNanos(System.nanoTime() - startedNanos);
    } catch (CannotStartException e) {
      screen.say(e.getMessage());
      recorded.ended(e.exitCode(), Instant.now());
      return e.exitCode();
    }
    reports.awaitKept();
    recorded.ended(exitCode, Instant.now());
    reports.awaitShown();
    screen.close();
    summarize(reports, exitCode, took).forEach(screen::say);
    if (kept && reports.newest().isPresent()) {
      screen.say("Kept in " + options.historyDirectory() + "; the page of the next run shows it");
    }
    return exitCode;
  }

  private int runNodes(Endpoint endpoint, Screen screen)
      throws CannotStartException, InterruptedException {
    List<Node> nodes =
        plan.nodes().stream()
            .map(node -> JavaCommand.withAgent(node, options.agent()))
            .map(node -> node.with(node.command(), reporting(node.environment(), endpoint)))
            .toList();
    NodeGroup group = new NodeGroup(plan.grace(), screen::say);
    try (StopSignals signals = StopSignals.register(group, screen::say)) {
      try {
        group.start(
            nodes,
            new ProgramOutput(screen.outRows(), screen.errRows(), nodes.size() > 1),
            plan.readsInput());
      } catch (CannotStartException e) {
        return signals.exitCodeAfter(e);
      }
      return group.await();
    }
  }

  private static Map<String, String> reporting(Map<String, String> environment, Endpoint endpoint) {
    Map<String, String> all = new HashMap<>(environment);
    // A person watches: once a second, not every 5 s as in a cluster.
    all.putIfAbsent("WAYMARK_INTERVAL", "1");
    all.putAll(endpoint.variables());
    return all;
  }

  private List<String> summarize(RunReports reports, int exitCode, Duration took) {
    List<String> lines = new ArrayList<>();
    Optional<TrainerStatus> last = reports.newest();
    last.map(ClosingLines::lastStatus).ifPresent(lines::add);
    lines.add(ClosingLines.programEnded(exitCode, took));
    if (last.isEmpty()) {
      lines.add(Silence.explain(plan.nodes().get(0).environment(), reports.lastRefusal()));
    }
    return lines;
  }

  /** A folder that can't be written costs the history, not the training. */
  private RunHistory openHistory(Screen screen) {
    try {
      RunHistory history = RunHistory.open(options.historyDirectory());
      kept = true;
      return history;
    } catch (IOException e) {
      screen.say("Note: the run is not kept: " + e.getMessage());
      return RunHistory.inMemory();
    }
  }

  private RunRecord openRecord() throws IOException {
    return options.record() == null ? null : RunRecord.appendTo(options.record());
  }

  private PageServer openPage(Vertx vertx, RunHistory history) throws IOException {
    return options.pagePort() == null
        ? null
        : PageServer.start(vertx, new RunPage(vertx, history), options.pagePort());
  }
}
