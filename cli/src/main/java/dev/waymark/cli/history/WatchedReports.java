package dev.waymark.cli.history;

import dev.waymark.cli.history.Entry.Reported;
import dev.waymark.cli.history.Entry.Started;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one TrainJob reported while somebody watched it: kept in memory, and thinned as it grows. Of
 * several trainings in turn the newest counts. Not safe for use by several threads.
 */
public final class WatchedReports {

  /** No more become curves. */
  private static final int MAX_METRICS = 64;

  private final int maxPoints;

  /** So that a name that every report repeats is kept once. */
  private final Map<String, String> names = new HashMap<>();

  private Recording recording;
  private TrainerStatus last;

  /**
   * Begins to watch.
   *
   * @param trainJob namespace and name, {@code ns/name}
   * @param maxPoints reports that are kept, at least 4
   */
  public WatchedReports(String trainJob, Instant since, int maxPoints) {
    this.maxPoints = maxPoints;
    this.recording =
        new Recording(trainJob, new Started(trainJob, List.of(), since, Recorder.current()));
  }

  /** Adds what was seen; the same once more is no other report. */
  public void add(Instant seenAt, TrainerStatus status) {
    if (status.equals(last)) {
      return;
    }
    last = status;
    recording.add(new Reported(seenAt, slim(status)));
    if (recording.exceeds(1, maxPoints)) {
      recording = recording.thinned(1, maxPoints / 2);
    }
  }

  private TrainerStatus slim(TrainerStatus status) {
    List<Metric> metrics =
        MetricValues.metrics(status).stream()
            .limit(MAX_METRICS)
            .map(metric -> new Metric(kept(metric.name()), metric.value()))
            .toList();
    return new TrainerStatus(
        status.progressPercentage(),
        status.estimatedRemainingSeconds(),
        metrics,
        status.lastUpdatedTime());
  }

  private String kept(String name) {
    String known = names.get(name);
    if (known == null && names.size() < MAX_METRICS) {
      names.put(name, name);
    }
    return known == null ? name : known;
  }

  /** All of it as curves. */
  public RunCurves curves() {
    return recording.newestCurves();
  }
}
