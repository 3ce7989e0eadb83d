package dev.waymark.cli.history;

import dev.waymark.cli.history.Entry.Reported;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reports for tests. */
final class Reports {

  static final Instant START = Instant.parse("2026-11-29T18:00:00Z");

  private Reports() {}

  /** A status with metrics given as name, value, name, value, ... */
  static TrainerStatus status(Integer percent, String... namesAndValues) {
    List<Metric> metrics = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      metrics.add(new Metric(namesAndValues[i], namesAndValues[i + 1]));
    }
    return new TrainerStatus(percent, 60, metrics, START);
  }

  /** A report some seconds after the start. */
  static Reported report(int second, String... namesAndValues) {
    return new Reported(START.plusSeconds(second), status(null, namesAndValues));
  }
}
