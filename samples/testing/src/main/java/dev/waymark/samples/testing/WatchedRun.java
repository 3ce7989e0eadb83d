package dev.waymark.samples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A program that ran under {@code waymark run}: what it printed, and what arrived by agent,
 * reporter, TLS, token and status endpoint.
 */
public final class WatchedRun {
  private static final Path CLI = Paths.get("../../cli/target/waymark-cli.jar").toAbsolutePath();

  private final Outcome outcome;
  private final List<Report> reports;

  private WatchedRun(Outcome outcome, List<Report> reports) {
    this.outcome = outcome;
    this.reports = reports;
  }

  /**
   * Runs a program to its end, which has to be a good one.
   *
   * @param folder where it runs, and keeps what it writes
   * @param what a TrainJob's files, or {@code --} and a command
   */
  public static WatchedRun of(Path folder, List<String> what)
      throws IOException, InterruptedException {
    Path record = folder.resolve("record.jsonl");
    Files.deleteIfExists(record);
    List<String> command = SampleJar.java();
    command.addAll(List.of("-jar", CLI.normalize().toString()));
    command.addAll(List.of("run", "--no-page", "--record", record.toString()));
    command.addAll(what);
    Outcome outcome =
        Command.run(
            folder,
            Map.of("WAYMARK_STATE_DIR", folder.resolve("waymark-state").toString()),
            command);
    assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
    assertThat(outcome.errors()).contains("program exited with 0");
    return new WatchedRun(outcome, read(record));
  }

  private static List<Report> read(Path record) throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<Report> reports = new ArrayList<>();
    for (String line : Files.readAllLines(record)) {
      reports.add(new Report(json.readTree(line)));
    }
    assertThat(reports).as("reports").isNotEmpty();
    return Collections.unmodifiableList(reports);
  }

  public Outcome outcome() {
    return outcome;
  }

  /**
   * One of several runs in turn, with its reports alone.
   *
   * @param number 1 for the first
   * @throws AssertionError if nothing was reported of it
   */
  public WatchedRun run(int number) {
    List<Report> own =
        reports.stream()
            .filter(report -> report.metric("run").equals(String.valueOf(number)))
            .collect(Collectors.toList());
    assertThat(own).as("reports of run %s", number).isNotEmpty();
    return new WatchedRun(outcome, Collections.unmodifiableList(own));
  }

  /** All that were accepted, in order; at least one. */
  public List<Report> reports() {
    return reports;
  }

  public Report last() {
    return reports.get(reports.size() - 1);
  }

  /** The time from its first report to its last. */
  public Duration length() {
    return Duration.between(reports.get(0).receivedAt(), last().receivedAt());
  }

  /**
   * Those that tell how much time is left, in order. A run that has ended has none, which is no
   * estimate.
   */
  public List<Report> estimates() {
    return reports.stream()
        .filter(report -> report.secondsLeft() != null && report.isUnderWay())
        .collect(Collectors.toList());
  }

  /**
   * Asserts that each percentage is the part of the steps that is done, as far as a report tells
   * all of them, that none falls, and that only the completed run shows 100.
   */
  public void assertPercentIsThatOfTheSteps() {
    assertThat(percents()).isSorted();
    for (Report report : reports) {
      double part = 100 * report.number("current_step") / report.number("total_steps");
      if (report.percent() != null && !Double.isNaN(part)) {
        boolean completed = report.metric("state").equals("completed");
        assertThat(report.percent())
            .as(report.toString())
            .isEqualTo((int) Math.floor(completed ? part : Math.min(99, part)));
      }
    }
  }

  /** The percentages of all reports that know one, in order. */
  public List<Integer> percents() {
    return reports.stream()
        .map(Report::percent)
        .filter(Objects::nonNull)
        .collect(Collectors.toList());
  }
}
