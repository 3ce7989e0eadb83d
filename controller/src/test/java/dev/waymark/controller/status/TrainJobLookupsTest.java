package dev.waymark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.controller.kubernetes.TokenBucket;
import dev.waymark.status.TrainJobKey;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TrainJobLookupsTest {

  private static final TrainJobKey ABSENT = new TrainJobKey("team-a", "absent");
  private static final TrainJobKey FRESH = new TrainJobKey("team-a", "fresh");

  private final ManualTimer timer = new ManualTimer();
  private final FakeStatuses stored = new FakeStatuses(FRESH);

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void asksOnceForAllWhoWantToKnow() {
    TrainJobLookups lookups = new TrainJobLookups(stored, new TokenBucket(0, 0), timer);

    for (int i = 0; i < 100; i++) {
      assertThat(exists(lookups, FRESH)).isTrue();
      assertThat(exists(lookups, ABSENT)).isFalse();
    }
    assertThat(stored.reads()).isEqualTo(2);
  }

  /** The cache may not hear for long of one that is made meanwhile. */
  @Test
  void asksAgainAfterASecondWhetherItIsThere() {
    TrainJobLookups lookups = new TrainJobLookups(stored, new TokenBucket(0, 0), timer);
    exists(lookups, ABSENT);
    exists(lookups, FRESH);

    timer.next(); // the first that was asked for
    exists(lookups, ABSENT);
    assertThat(stored.reads()).as("of the absent one").isEqualTo(3);

    timer.next();
    exists(lookups, FRESH);
    assertThat(stored.reads()).as("of the fresh one").isEqualTo(4);
  }

  @Test
  void asksAgainSoonAfterAFailure() {
    TrainJobLookups lookups = new TrainJobLookups(stored, new TokenBucket(0, 0), timer);
    stored.away(true);
    assertThat(ask(lookups, ABSENT).toCompletableFuture()).isCompletedExceptionally();
    stored.away(false);
    assertThat(ask(lookups, ABSENT).toCompletableFuture()).isCompletedExceptionally();
    assertThat(stored.reads()).isEqualTo(1);

    timer.next();

    assertThat(exists(lookups, ABSENT)).isFalse();
  }

  /** One token every 10 s: the first question goes through, the others stand in line. */
  @Test
  void turnsAwayWhoeverComesWhenTheLineIsFull() {
    TrainJobLookups lookups = new TrainJobLookups(stored, new TokenBucket(0.1, 1), timer);
    assertThat(exists(lookups, FRESH)).isTrue();
    List<TrainJobKey> crowd =
        IntStream.range(0, TrainJobLookups.MAX_OPEN)
            .mapToObj(i -> new TrainJobKey("team-a", "crowd-" + i))
            .toList();
    crowd.forEach(trainJob -> ask(lookups, trainJob));

    assertThat(lookups.exists(ABSENT)).isEmpty();
    assertThat(lookups.exists(crowd.get(0))).as("who stands in line already").isPresent();
    assertThat(lookups.exists(FRESH)).as("what is known").isPresent();

    timer.next();
    timer.next();
    assertThat(stored.reads()).as("the first of the line was let through").isEqualTo(2);
    assertThat(lookups.exists(ABSENT)).isPresent();
  }

  private static boolean exists(TrainJobLookups lookups, TrainJobKey trainJob) {
    CompletionStage<Boolean> asked = ask(lookups, trainJob);
    assertThat(asked.toCompletableFuture()).isCompleted();
    return asked.toCompletableFuture().join();
  }

  private static CompletionStage<Boolean> ask(TrainJobLookups lookups, TrainJobKey trainJob) {
    return lookups.exists(trainJob).orElseThrow();
  }
}
