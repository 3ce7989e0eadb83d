package dev.waymark.cli.cluster.dashboard;

import dev.waymark.cli.history.RunCurves;
import dev.waymark.cli.history.WatchedReports;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What TrainJobs reported since somebody has watched them. It keeps {@value #MAX_POINTS} reports of
 * each, thinned evenly, and {@value #MAX_JOBS} TrainJobs: when there are more, those that have
 * ended make room, and what finds no room isn't recorded before somebody looks at it. Not safe for
 * several threads.
 */
final class ReportHistory {

  static final int MAX_JOBS = 100;
  static final int MAX_POINTS = 300;

  /**
   * By uid, so that a TrainJob that was made anew under its name begins anew; those come last at
   * which somebody has looked last.
   */
  private final Map<String, WatchedReports> reports = new LinkedHashMap<>();

  /** Takes what all TrainJobs have reported last. */
  void record(List<BoardJob> all, Instant now) {
    reports.keySet().retainAll(all.stream().map(BoardJob::uid).collect(Collectors.toSet()));
    Set<String> ended =
        all.stream().filter(BoardJob::isFinal).map(BoardJob::uid).collect(Collectors.toSet());
    for (BoardJob job : all) {
      if (job.status() == null) {
        continue;
      }
      WatchedReports kept = reports.get(job.uid());
      if (kept == null && !job.isFinal() && makeRoom(ended)) {
        kept = begin(job, now);
      }
      if (kept != null) {
        kept.add(now, job.status());
      }
    }
  }

  private WatchedReports begin(BoardJob job, Instant now) {
    WatchedReports begun = new WatchedReports(job.id(), now, MAX_POINTS);
    reports.put(job.uid(), begun);
    return begun;
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

  /**
   * Somebody looks at a TrainJob: from now on it is recorded, in place of the one at which nobody
   * has looked for longest.
   *
   * @return without any series where nothing is recorded
   */
  RunCurves curves(BoardJob job, Instant now) {
    WatchedReports kept = reports.remove(job.uid());
    if (kept != null) {
      reports.put(job.uid(), kept);
    } else if (job.status() != null && !job.isFinal()) {
      if (reports.size() >= MAX_JOBS) {
        reports.remove(reports.keySet().iterator().next());
      }
      kept = begin(job, now);
      kept.add(now, job.status());
    }
    return kept == null ? new RunCurves(RunCurves.Axis.STEP, List.of(), List.of()) : kept.curves();
  }
}
