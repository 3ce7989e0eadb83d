package dev.waymark.cli.cluster.dashboard;

import dev.waymark.cli.history.RunCurves;
import dev.waymark.cli.history.WatchedReports;
import dev.waymark.client.Training;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What TrainJobs reported since somebody has watched them. It keeps {@value #MAX_POINTS} reports of
 * each, thinned evenly, and {@value #MAX_JOBS} TrainJobs: when there are more, those that have
 * ended make room, and what finds no room isn't recorded. Not safe for several threads.
 */
final class ReportHistory {

  static final int MAX_JOBS = 100;
  static final int MAX_POINTS = 300;

  /** By uid, so that a TrainJob that was made anew under its name begins anew; the oldest first. */
  private final Map<String, WatchedReports> reports = new LinkedHashMap<>();

  /** Takes what all TrainJobs have reported last. */
  void record(List<Training> all, Instant now) {
    reports.keySet().retainAll(all.stream().map(ReportHistory::key).collect(Collectors.toSet()));
    Set<String> ended =
        all.stream()
            .filter(it -> it.state().isFinal())
            .map(ReportHistory::key)
            .collect(Collectors.toSet());
    for (Training training : all) {
      training
          .trainerStatus()
          .ifPresent(
              status -> {
                WatchedReports kept = reports.get(key(training));
                if (kept == null && !training.state().isFinal() && makeRoom(ended)) {
                  kept = new WatchedReports(JobJson.id(training), now, MAX_POINTS);
                  reports.put(key(training), kept);
                }
                if (kept != null) {
                  kept.add(now, status);
                }
              });
    }
  }

  private boolean makeRoom(Set<String> ended) {
    if (reports.size() < MAX_JOBS) {
      return true;
    }
    return reports.keySet().stream()
        .filter(ended::contains)
        .findFirst()
        .map(oldest -> reports.remove(oldest) != null)
        .orElse(false);
  }

  /** Without any series where nothing is recorded. */
  RunCurves curves(Training training) {
    WatchedReports kept = reports.get(key(training));
    return kept == null ? new RunCurves(RunCurves.Axis.STEP, List.of(), List.of()) : kept.curves();
  }

  private static String key(Training training) {
    return String.valueOf(training.resource().getMetadata().getUid());
  }
}
