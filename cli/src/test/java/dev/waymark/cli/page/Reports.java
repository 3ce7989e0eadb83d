package dev.waymark.cli.page;

import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reports for tests. */
final class Reports {

  private Reports() {}

  /** A status with metrics given as name, value, name, value, ... */
  static TrainerStatus status(Integer percent, String... namesAndValues) {
    List<Metric> metrics = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      metrics.add(new Metric(namesAndValues[i], namesAndValues[i + 1]));
    }
    return new TrainerStatus(percent, 75, metrics, Instant.now());
  }
}
