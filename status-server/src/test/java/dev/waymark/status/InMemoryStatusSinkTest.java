package dev.waymark.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.status.InMemoryStatusSink.Report;
import dev.waymark.status.StatusSink.Outcome;
import dev.waymark.trainer.api.TrainerStatus;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InMemoryStatusSinkTest {

  private static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");
  private static final Instant NOW = Instant.parse("2026-05-06T07:08:09Z");
  private static final TrainerStatus STATUS =
      new TrainerStatus(42, null, null, Instant.parse("2026-01-02T03:04:05Z"));

  private final List<Report> reports = new ArrayList<>();
  private final StatusSink sink =
      new InMemoryStatusSink(Set.of(DEMO), Clock.fixed(NOW, ZoneOffset.UTC), reports::add);

  @Test
  void handsOnWhatItAccepts() {
    assertThat(outcome(DEMO, STATUS)).isEqualTo(new Outcome.Written());
    assertThat(reports).containsExactly(new Report(DEMO, STATUS, NOW));
  }

  @Test
  void doesNotKnowOtherTrainJobs() {
    assertThat(outcome(new TrainJobKey("team-b", "demo"), STATUS))
        .isEqualTo(new Outcome.TrainJobNotFound());
    assertThat(outcome(new TrainJobKey("team-a", "ghost"), STATUS))
        .isEqualTo(new Outcome.TrainJobNotFound());
    assertThat(reports).isEmpty();
  }

  @Test
  void refusesWhatTheApiServerWould() {
    TrainerStatus status = new TrainerStatus(101, null, null, STATUS.lastUpdatedTime());

    assertThat(outcome(DEMO, status))
        .isEqualTo(
            new Outcome.Invalid(TrainerStatusLimits.violation("demo", status).orElseThrow()));
    assertThat(reports).isEmpty();
  }

  @Test
  void letsTheListenersFailureThrough() {
    StatusSink failing =
        new InMemoryStatusSink(
            Set.of(DEMO),
            Clock.systemUTC(),
            report -> {
              throw new IllegalStateException("disk full");
            });

    assertThatThrownBy(() -> failing.write(DEMO, STATUS)).hasMessage("disk full");
  }

  private Outcome outcome(TrainJobKey trainJob, TrainerStatus status) {
    return sink.write(trainJob, status).toCompletableFuture().join();
  }
}
