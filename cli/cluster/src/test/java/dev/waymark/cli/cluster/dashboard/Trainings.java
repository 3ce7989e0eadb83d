package dev.waymark.cli.cluster.dashboard;

import dev.waymark.client.Device;
import dev.waymark.client.Step;
import dev.waymark.client.Training;
import dev.waymark.client.TrainingState;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobSpec;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** TrainJobs for tests. */
final class Trainings {

  static final Instant CREATED = Instant.parse("2026-11-30T10:00:00Z");

  private Trainings() {}

  /** One of the namespace team-a that has reported nothing. */
  static Training training(String name, TrainingState state) {
    return training(name, state, null, List.of());
  }

  /** The same, as the board keeps it. */
  static BoardJob job(String name, TrainingState state) {
    return BoardJob.of(training(name, state));
  }

  /** One that has reported, with metrics as name, value, name, value, ... */
  static Training reporting(
      String name, TrainingState state, Integer percent, String... namesAndValues) {
    List<Metric> metrics = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      metrics.add(new Metric(namesAndValues[i], namesAndValues[i + 1]));
    }
    return training(
        name, state, new TrainerStatus(percent, 90, metrics, CREATED.plusSeconds(60)), List.of());
  }

  /** One with these steps. */
  static Training withSteps(String name, TrainingState state, Step... steps) {
    return training(name, state, null, List.of(steps));
  }

  private static Training training(
      String name, TrainingState state, TrainerStatus status, List<Step> steps) {
    TrainJob job = new TrainJob();
    job.getMetadata().setName(name);
    job.getMetadata().setNamespace("team-a");
    job.getMetadata().setUid("uid-of-" + name);
    job.getMetadata().setCreationTimestamp(CREATED.toString());
    job.setSpec(
        new TrainJobSpec(
            new RuntimeRef("rt", null, null, null), null, null, null, null, null, null, null));
    job.setStatus(
        new TrainJobStatus(
            state.isFinal()
                ? List.of(
                    new ConditionBuilder()
                        .withType(state.label())
                        .withStatus("True")
                        .withLastTransitionTime(CREATED.plusSeconds(120).toString())
                        .build())
                : List.of(),
            null,
            status,
            null));
    return new Training(state, "", 2, new Device("gpu", "4"), null, steps, job);
  }
}
