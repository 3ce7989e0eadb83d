package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.trainer.api.TrainJob;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2400-01-01T00:00:00Z",
        "+300000000-01-01T00:00:00Z",
        "+999999999-12-31T23:59:59Z"
      })
  void canBeCenturiesAway(Instant deadline) {
    Instant now = Instant.now();

    deadlines.set(trainJob, Optional.of(deadline), now);
    await().during(Duration.ofMillis(100)).until(woken::isEmpty);
    deadlines.set(trainJob, Optional.of(now), now);

    await().until(() -> woken.size() == 1);
  }

  @Test
  void wakeNobodyWhoHasNoneAnyMore() {
    List<CompletableFuture<Void>> timers = new ArrayList<>();
    Deadlines driven =
        new Deadlines(
            id -> woken.add(Instant.now()),
            wait -> {
              timers.add(new CompletableFuture<>());
              return timers.get(timers.size() - 1);
            });
    Instant now = Instant.now();

    driven.set(trainJob, Optional.of(now.plus(FAR)), now);
    driven.set(trainJob, Optional.empty(), now);
    driven.set(trainJob, Optional.of(now.plus(FAR)), now);
    driven.forget(trainJob);
    driven.set(trainJob, Optional.of(now.plus(FAR)), now);
    timers.forEach(timer -> timer.complete(null));

    assertThat(timers)
        .extracting(CompletableFuture::isCancelled)
        .containsExactly(true, true, false);
    assertThat(woken).hasSize(1);
  }

  private static TrainJob trainJob() {
    TrainJob trainJob = new TrainJob();
    trainJob.getMetadata().setName("demo");
    trainJob.getMetadata().setNamespace("team-a");
    return trainJob;
  }
}
