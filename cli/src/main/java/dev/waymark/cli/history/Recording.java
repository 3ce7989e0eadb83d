package dev.waymark.cli.history;

import dev.waymark.cli.history.Entry.Ended;
import dev.waymark.cli.history.Entry.Reported;
import dev.waymark.cli.history.Entry.Started;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one {@code waymark run} left: how its process started, what each training in it reported,
 * how it ended. Not safe for use by several threads.
 */
final class Recording {

  private final String name;
  private final Started started;
  private final Map<Integer, List<Reported>> reportsByRun = new LinkedHashMap<>();

  /** Which run a report with this number belongs to now. */
  private final Map<Integer, Integer> runByReportedNumber = new HashMap<>();

  private Ended ended;

  Recording(String name, Started started) {
    this.name = name;
    this.started = started;
  }

  String name() {
    return name;
  }

  Started started() {
    return started;
  }

  boolean hasEnded() {
    return ended != null;
  }

  /**
   * Adds a report to its run. Programs that train one after the other ({@code sh -c "java A; java
   * B"}) count their runs from 1 each: a number that comes again is a new run.
   */
  void add(Reported report) {
    int reported = reportedNumber(report);
    Integer number = runByReportedNumber.get(reported);
    if (number == null || beginsAgain(newest(number), report)) {
      // As reported, as long as nothing came again.
      int next = reportsByRun.keySet().stream().mapToInt(n -> n + 1).max().orElse(1);
      number = Math.max(reported, next);
      runByReportedNumber.put(reported, number);
    }
    reportsByRun.computeIfAbsent(number, n -> new ArrayList<>()).add(report);
  }

  /** Whether a run that said the one can't be the same as that which says the other. */
  private static boolean beginsAgain(Reported before, Reported after) {
    MetricValues then = MetricValues.of(before.status());
    MetricValues now = MetricValues.of(after.status());
    String word = now.word("state");
    if (RunState.isLastWord(then.word("state")) && word != null && !RunState.isLastWord(word)) {
      return true;
    }
    Long stepThen = then.count("current_step");
    Long stepNow = now.count("current_step");
    return stepThen != null && stepNow != null && stepNow < stepThen;
  }

  private Reported newest(int number) {
    List<Reported> reports = reportsByRun.get(number);
    return reports.get(reports.size() - 1);
  }

  void end(Ended end) {
    this.ended = end;
  }

  private static int reportedNumber(Reported report) {
    Long number = MetricValues.of(report.status()).count("run");
    return number == null || number < 1 || number > Integer.MAX_VALUE ? 1 : number.intValue();
  }

  /** The lines of its file. */
  Stream<Entry> entries() {
    return Stream.of(
            Stream.of(started),
            reportsByRun.values().stream().flatMap(List::stream),
            Stream.ofNullable(ended))
        .flatMap(s -> s);
  }

  boolean exceeds(int maxRuns, int maxPoints) {
    return reportsByRun.size() > maxRuns
        || reportsByRun.values().stream().anyMatch(reports -> reports.size() > maxPoints);
  }

  /** A copy with the newest runs only, and with fewer reports of each; the first and last stay. */
  Recording thinned(int maxRuns, int maxPoints) {
    Recording copy = new Recording(name, started);
    reportsByRun.entrySet().stream()
        .skip(Math.max(0, reportsByRun.size() - maxRuns))
        .forEach(
            run ->
                copy.reportsByRun.put(
                    run.getKey(),
                    new ArrayList<>(
                        Thinning.evenly(
                            run.getValue(), maxPoints, r -> r.receivedAt().toEpochMilli()))));
    copy.runByReportedNumber.putAll(runByReportedNumber);
    copy.runByReportedNumber.values().retainAll(copy.reportsByRun.keySet());
    copy.ended = ended;
    return copy;
  }

  /** Its runs in the order in which they began; at least one. */
  List<RunSummary> summaries(boolean recorderAlive) {
    if (reportsByRun.isEmpty()) {
      return List.of(RunSummary.of(new RunId(name, 1), started, fate(true, recorderAlive)));
    }
    List<RunSummary> summaries = new ArrayList<>();
    for (Integer number : reportsByRun.keySet()) {
      summaries.add(summary(number, recorderAlive));
    }
    return summaries;
  }

  Optional<RunDetail> detail(int number, boolean recorderAlive) {
    if (reportsByRun.isEmpty() && number == 1) {
      RunSummary summary = summaries(recorderAlive).get(0);
      return Optional.of(new RunDetail(summary, List.of(), RunCurves.of(List.of())));
    }
    if (!reportsByRun.containsKey(number)) {
      return Optional.empty();
    }
    List<Reported> reports = reportsByRun.get(number);
    return Optional.of(
        new RunDetail(
            summary(number, recorderAlive),
            MetricValues.metrics(newest(number).status()),
            RunCurves.of(reports)));
  }

  /** Those of the training that began last. */
  RunCurves newestCurves() {
    List<Reported> newest = List.of();
    for (List<Reported> reports : reportsByRun.values()) {
      newest = reports;
    }
    return RunCurves.of(newest);
  }

  private RunSummary summary(int number, boolean recorderAlive) {
    List<Integer> numbers = List.copyOf(reportsByRun.keySet());
    boolean isFirst = numbers.indexOf(number) == 0;
    boolean isLast = numbers.indexOf(number) == numbers.size() - 1;
    List<Reported> reports = reportsByRun.get(number);
    return RunSummary.of(
        new RunId(name, number),
        started,
        isFirst ? started.startedAt() : reports.get(0).receivedAt(),
        newest(number),
        fate(isLast, recorderAlive));
  }

  private Fate fate(boolean isLast, boolean recorderAlive) {
    if (!isLast) {
      return Fate.NEXT_RUN_BEGAN;
    } else if (ended != null) {
      return Fate.exited(ended.exitCode(), ended.endedAt());
    } else {
      return recorderAlive ? Fate.ALIVE : Fate.RECORDER_GONE;
    }
  }
}
