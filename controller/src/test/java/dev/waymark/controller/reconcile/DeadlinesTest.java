package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.trainer.api.TrainJob;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

  /** Long enough that no test waits for it. */
  private static final Duration FAR = Duration.ofDays(30);

  private final List<Instant> woken = new CopyOnWriteArrayList<>();
  private final TrainJob trainJob = trainJob();
  private final Deadlines deadlines =
      new Deadlines(
          id -> {
            assertThat(id).isEqualTo(new ResourceID("demo", "team-a"));
            woken.add(Instant.now());
          });

  @Test
  void wakeOnceTheDeadlineIsOver() {
    Instant now = Instant.now();
    Instant deadline = now.plusMillis(200);

    deadlines.set(trainJob, Optional.of(deadline), now);
    deadlines.set(trainJob, Optional.of(deadline), now);

    await().until(() -> !woken.isEmpty());
    assertThat(woken.get(0)).isAfter(deadline);
    await().during(Duration.ofMillis(300)).until(() -> woken.size() == 1);
  }

  /** As after an outage: what is over already is dealt with at once. */
  @Test
  void wakeAtOnceWhenTheDeadlineIsOverAlready() {
    Instant now = Instant.now();

    deadlines.set(trainJob, Optional.of(now.minusSeconds(60)), now);

    await().until(() -> woken.size() == 1);
  }

  @Test
  void followAChangeOfTheDeadline() {
    Instant now = Instant.now();

    deadlines.set(trainJob, Optional.of(now.plus(FAR)), now);
    deadlines.set(trainJob, Optional.of(now.plusMillis(100)), now);

    await().until(() -> woken.size() == 1);
  }

  /** A deadline that has come can come again, as after a suspension. */
  @Test
  void canBeSetAgain() {
    Instant now = Instant.now();

    deadlines.set(trainJob, Optional.of(now), now);
    await().until(() -> woken.size() == 1);
    deadlines.set(trainJob, Optional.of(now), now);

    await().until(() -> woken.size() == 2);
  }

  @Test
  void wakeNobodyWhoHasNoneAnyMore() {
    Instant now = Instant.now();

    deadlines.set(trainJob, Optional.of(now.plusMillis(300)), now);
    deadlines.set(trainJob, Optional.empty(), now);
    deadlines.set(trainJob, Optional.of(now.plusMillis(300)), now);
    deadlines.forget(trainJob);

    await().during(Duration.ofMillis(600)).until(woken::isEmpty);
  }

  private static TrainJob trainJob() {
    TrainJob trainJob = new TrainJob();
    trainJob.getMetadata().setName("demo");
    trainJob.getMetadata().setNamespace("team-a");
    return trainJob;
  }
}
