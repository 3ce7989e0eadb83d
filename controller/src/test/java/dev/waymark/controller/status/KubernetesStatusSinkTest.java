package dev.waymark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.kubernetes.TokenBucket;
import dev.waymark.controller.status.FakeStatuses.Write;
import dev.waymark.status.StatusSink.Outcome;
import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesStatusSinkTest {

  private static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");
  private static final TrainJobKey OTHER = new TrainJobKey("team-a", "other");
  private static final Duration SPACING = Duration.ofMillis(300);
  private static final Duration FOR_EVER = Duration.ofHours(1);

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final FakeStatuses stored = new FakeStatuses(DEMO, OTHER);

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void writesTheFirstReportAndThenAnswers() {
    KubernetesStatusSink sink = sink(FOR_EVER);
    stored.hold();

    CompletableFuture<Outcome> answer = write(sink, DEMO, running(1));
    assertThat(answer).isNotDone();
    stored.release();

    assertThat(answer.join()).isEqualTo(new Outcome.Written());
    assertThat(stored.writes()).containsExactly(new Write(DEMO, running(1), null));
  }

  @Test
  void answersReportsWithinTheSpacingAtOnceAndWritesTheNewest() {
    KubernetesStatusSink sink = sink(SPACING);
    write(sink, DEMO, running(1)).join();

    for (int second = 2; second <= 9; second++) {
      assertThat(write(sink, DEMO, running(second))).isCompletedWithValue(new Outcome.Written());
    }

    assertThat(stored.writes()).hasSize(1);
    assertThat(sink.waiting()).isEqualTo(1);
    await().untilAsserted(() -> assertThat(stored.status(DEMO)).isEqualTo(running(9)));
    assertThat(stored.writes()).hasSize(2);
    assertThat(stored.writes().get(1).resourceVersion()).isEqualTo("1");
    await().untilAsserted(() -> assertThat(sink.waiting()).isZero());
  }

  @Test
  void keepsTheSpacingAcrossAnIdleLane() {
    KubernetesStatusSink sink = sink(SPACING);
    long start = System.nanoTime();
    for (int second = 1; second <= 30; second++) {
      write(sink, DEMO, running(second)).join();
      stored.pause(Duration.ofMillis(20));
    }
    await().untilAsserted(() -> assertThat(stored.status(DEMO)).isEqualTo(running(30)));

    long spacings = (System.nanoTime() - start) / SPACING.toNanos();
    assertThat(stored.writes().size()).isLessThanOrEqualTo((int) spacings + 1);
  }

  @Test
  void writesALastWordBeforeItAnswersWhateverTheSpacing() {
    KubernetesStatusSink sink = sink(FOR_EVER);
    write(sink, DEMO, running(1)).join();
    write(sink, DEMO, running(2)).join();
    stored.hold();

    CompletableFuture<Outcome> answer = write(sink, DEMO, completed(3));
    assertThat(answer).isNotDone();
    stored.release();

    assertThat(answer.join()).isEqualTo(new Outcome.Written());
    assertThat(stored.status(DEMO)).isEqualTo(completed(3));
    assertThat(sink.waiting()).isZero();
  }

  @Test
  void letsLastWordsThatComeTogetherShareAWrite() {
    KubernetesStatusSink sink = sink(SPACING);
    List<CompletableFuture<Outcome>> answers =
        IntStream.rangeClosed(1, 50)
            .mapToObj(second -> write(sink, DEMO, completed(second)))
            .toList();

    answers.forEach(answer -> assertThat(answer.join()).isEqualTo(new Outcome.Written()));
    assertThat(stored.status(DEMO)).isEqualTo(completed(50));
    assertThat(stored.writes()).hasSizeLessThanOrEqualTo(2);
  }

  /** As of a training that is started again at once, or of two that report for one TrainJob. */
  @Test
  void writesALastWordThatEndsAnotherRunWithinATenthOfTheSpacing() {
    ManualTimer line = new ManualTimer();
    try {
      KubernetesStatusSink sink =
          new KubernetesStatusSink(stored, new TokenBucket(0, 0), FOR_EVER, line);
      write(sink, DEMO, completed(1)).join();

      CompletableFuture<Outcome> sameRun = write(sink, DEMO, completed(2));
      assertThat(line.untilNext()).isGreaterThan(FOR_EVER.dividedBy(10));
      write(sink, DEMO, running(3)).join();
      CompletableFuture<Outcome> anotherRun = write(sink, DEMO, completed(4));

      assertThat(line.untilNext()).isLessThanOrEqualTo(FOR_EVER.dividedBy(10));
      assertThat(sameRun).isNotDone();
      assertThat(anotherRun).isNotDone();
    } finally {
      line.shutdownNow();
    }
  }

  @Test
  void dropsAReportThatWaitedWhenAnotherReplicaWroteALaterOne() {
    KubernetesStatusSink sink = sink(SPACING);
    write(sink, DEMO, running(1)).join();
    write(sink, DEMO, running(2)).join();
    stored.writtenByAnotherReplica(DEMO, running(3));

    await().untilAsserted(() -> assertThat(sink.waiting()).isZero());
    await().until(() -> stored.reads() > 0);
    assertThat(stored.status(DEMO)).isEqualTo(running(3));
  }

  @Test
  void dropsAReportThatWaitedWhenAnotherReplicaWroteTheLastWord() {
    KubernetesStatusSink sink = sink(SPACING);
    write(sink, DEMO, running(1)).join();
    write(sink, DEMO, running(9)).join();
    stored.writtenByAnotherReplica(DEMO, completed(9));

    await().until(() -> stored.reads() > 0);
    await().untilAsserted(() -> assertThat(sink.waiting()).isZero());
    assertThat(stored.status(DEMO)).isEqualTo(completed(9));
  }

  /** It reports so often that each of its reports waits. */
  @Test
  void showsTheProgressOfATrainingThatWasStartedAgain() {
    KubernetesStatusSink sink = sink(SPACING);
    write(sink, DEMO, completed(1)).join();
    write(sink, DEMO, running(2)).join();

    await().untilAsserted(() -> assertThat(stored.status(DEMO)).isEqualTo(running(2)));
  }

  @Test
  void readsAgainWhenTheTrainJobChangedBetweenReadAndWrite() {
    KubernetesStatusSink sink = sink(SPACING);
    write(sink, DEMO, running(1)).join();
    stored.changeBeforeNextWrite(DEMO, completed(3));
    write(sink, DEMO, running(3)).join();

    await().until(() -> stored.reads() >= 2);
    await().untilAsserted(() -> assertThat(sink.waiting()).isZero());
    assertThat(stored.status(DEMO)).isEqualTo(completed(3));
  }

  @Test
  void triesAgainWhatWaitsWhenTheApiServerFails() {
    KubernetesStatusSink sink = sink(Duration.ofMillis(20));
    stored.hold();
    CompletableFuture<Outcome> first = write(sink, DEMO, running(1));
    assertThat(write(sink, DEMO, running(2))).isCompletedWithValue(new Outcome.Written());
    stored.fail(3);
    stored.release();
    assertThat(first.join()).isEqualTo(new Outcome.Written());

    await().untilAsserted(() -> assertThat(stored.status(DEMO)).isEqualTo(running(2)));
  }

  @Test
  void asksAnApiServerThatIsAwayAtLongerAndLongerIntervals() {
    KubernetesStatusSink sink = sink(Duration.ofMillis(20));
    stored.hold();
    CompletableFuture<Outcome> first = write(sink, DEMO, running(1));
    assertThat(write(sink, DEMO, running(2))).isCompletedWithValue(new Outcome.Written());
    stored.away(true);
    long start = System.nanoTime();
    stored.release();
    assertThat(first.join()).isEqualTo(new Outcome.Written());

    await().until(() -> stored.asked() >= 6);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(50 + 100 + 200 + 400));
    stored.away(false);
    await().untilAsserted(() -> assertThat(stored.status(DEMO)).isEqualTo(running(2)));
  }

  @Test
  void doesNotTryLastWordsThatFailWithoutAPause() {
    KubernetesStatusSink sink = sink(SPACING);
    stored.away(true);
    long start = System.nanoTime();

    for (int second = 1; second <= 3; second++) {
      CompletableFuture<Outcome> answer = write(sink, DEMO, completed(second));
      assertThatThrownBy(answer::join).hasRootCauseMessage("the API server is away");
    }

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(SPACING.multipliedBy(2));
    assertThat(stored.asked()).isEqualTo(3);
  }

  @Test
  void aLastWordGoesBeforeTheProgressOfAllOtherTrainings() {
    TrainJobKey[] crowd =
        IntStream.range(0, 100)
            .mapToObj(i -> new TrainJobKey("team-a", "crowd-" + i))
            .toArray(TrainJobKey[]::new);
    FakeStatuses crowded = new FakeStatuses(crowd);
    ManualTimer line = new ManualTimer();
    try {
      KubernetesStatusSink sink =
          new KubernetesStatusSink(crowded, new TokenBucket(0.001, 1), FOR_EVER, line);
      for (TrainJobKey trainJob : crowd) {
        write(sink, trainJob, running(1)).join();
      }

      CompletableFuture<Outcome> answer = write(sink, crowd[99], completed(2));
      line.next();

      assertThat(answer).isCompletedWithValue(new Outcome.Written());
      assertThat(crowded.writes())
          .containsExactly(
              new Write(crowd[0], running(1), null), new Write(crowd[99], completed(2), null));
      assertThat(sink.waiting()).isEqualTo(98);
    } finally {
      line.shutdownNow();
    }
  }

  @Test
  void tellsTheClientWhenAWriteThatItWaitsForFails() {
    KubernetesStatusSink sink = sink(FOR_EVER);
    stored.fail(1);

    assertThatThrownBy(() -> write(sink, DEMO, running(1)).join())
        .hasRootCauseMessage("the API server is away");
    assertThat(write(sink, DEMO, completed(2)).join()).isEqualTo(new Outcome.Written());
  }

  @Test
  void keepsWhatWaitedWhenTheLastWordCanNotBeWritten() {
    KubernetesStatusSink sink = sink(SPACING);
    write(sink, DEMO, running(1)).join();
    write(sink, DEMO, running(2)).join();
    stored.fail(1);

    assertThatThrownBy(() -> write(sink, DEMO, completed(3)).join())
        .hasRootCauseMessage("the API server is away");
    await().untilAsserted(() -> assertThat(stored.status(DEMO)).isEqualTo(running(2)));
  }

  @Test
  void refusesWhatTheCrdWouldRefuse() {
    TrainerStatus tooMuch = new TrainerStatus(101, null, null, Instant.EPOCH);

    assertThat(write(sink(FOR_EVER), DEMO, tooMuch).join())
        .isInstanceOfSatisfying(
            Outcome.Invalid.class,
            invalid -> assertThat(invalid.message()).contains("progressPercentage"));
    assertThat(stored.writes()).isEmpty();
  }

  /** They come from a URL, and would go into the API server's. */
  @ParameterizedTest
  @CsvSource({
    "team-a, ?watch=true",
    "team-a, demo?watch=true",
    "team-a, ../pods/x",
    "team-a, ''",
    "team-a, Demo",
    "..,     demo",
    "a/b,    demo",
    "a.b,    demo"
  })
  void asksNobodyForATrainJobThatCanNotExist(String namespace, String name) {
    KubernetesStatusSink sink = sink(FOR_EVER);

    for (TrainerStatus report : List.of(running(1), completed(2))) {
      assertThat(write(sink, new TrainJobKey(namespace, name), report).join())
          .isEqualTo(new Outcome.TrainJobNotFound());
    }
    assertThat(stored.asked()).isZero();
  }

  @Test
  void asksTheApiServerBeforeItSaysThatThereIsNoSuchTrainJob() {
    KubernetesStatusSink sink = sink(FOR_EVER);
    TrainJobKey unknown = new TrainJobKey("team-a", "unknown");
    TrainJobKey fresh = new TrainJobKey("team-a", "fresh");
    stored.createdBehindTheCache(fresh);

    for (int i = 0; i < 10; i++) {
      assertThat(write(sink, unknown, running(1)).join()).isEqualTo(new Outcome.TrainJobNotFound());
    }
    assertThat(write(sink, fresh, running(1)).join()).isEqualTo(new Outcome.Written());
    assertThat(stored.reads()).isEqualTo(2);
  }

  /** Last words too, which go before all else where the TrainJob is known. */
  @Test
  void reportsForUnknownTrainJobsDelayNobody() {
    ManualTimer line = new ManualTimer();
    try {
      KubernetesStatusSink sink =
          new KubernetesStatusSink(stored, new TokenBucket(0.001, 1), FOR_EVER, line);
      CompletableFuture<Outcome> last = null;
      for (int i = 0; i < 1000; i++) {
        last = write(sink, new TrainJobKey("team-a", "unknown-" + i), completed(1));
      }

      assertThat(write(sink, DEMO, running(1))).isCompletedWithValue(new Outcome.Written());
      assertThat(stored.status(DEMO)).isEqualTo(running(1));
      assertThat(last).isCompletedWithValue(new Outcome.Unavailable());
    } finally {
      line.shutdownNow();
    }
  }

  @Test
  void tellsWhenTheTrainJobIsGone() {
    stored.delete(DEMO);

    assertThat(write(sink(FOR_EVER), DEMO, running(1)).join())
        .isEqualTo(new Outcome.TrainJobNotFound());
  }

  @Test
  void aTrainJobThatFloodsDoesNotHoldUpOthers() {
    TokenBucket limit = new TokenBucket(20, 5);
    KubernetesStatusSink sink = new KubernetesStatusSink(stored, limit, FOR_EVER, timer);
    for (int i = 0; i < 10_000; i++) {
      write(sink, DEMO, running(i));
    }

    assertThat(write(sink, OTHER, completed(1)).join()).isEqualTo(new Outcome.Written());
    assertThat(stored.writes()).hasSize(2);
  }

  @Test
  void answersAtOnceWhenTheLimitHasNoRoom() {
    ManualTimer line = new ManualTimer();
    try {
      KubernetesStatusSink sink =
          new KubernetesStatusSink(stored, new TokenBucket(0.001, 1), FOR_EVER, line);

      assertThat(write(sink, DEMO, running(1)).join()).isEqualTo(new Outcome.Written());
      assertThat(write(sink, OTHER, running(1))).isCompletedWithValue(new Outcome.Written());
      assertThat(stored.writes()).hasSize(1);

      line.next();
      assertThat(stored.reads()).isEqualTo(1);
      line.next();
      assertThat(stored.status(OTHER)).isEqualTo(running(1));
    } finally {
      line.shutdownNow();
    }
  }

  @Test
  void writesWhatWaitsWhenItCloses() {
    KubernetesStatusSink sink = sink(FOR_EVER);
    write(sink, DEMO, running(1)).join();
    write(sink, DEMO, running(2)).join();

    sink.close();

    assertThat(stored.status(DEMO)).isEqualTo(running(2));
  }

  private KubernetesStatusSink sink(Duration spacing) {
    return new KubernetesStatusSink(stored, new TokenBucket(0, 0), spacing, timer);
  }

  private static CompletableFuture<Outcome> write(
      KubernetesStatusSink sink, TrainJobKey trainJob, TrainerStatus status) {
    return sink.write(trainJob, status).toCompletableFuture();
  }

  private static TrainerStatus running(int second) {
    return new TrainerStatus(50, 60, null, Instant.ofEpochSecond(second));
  }

  private static TrainerStatus completed(int second) {
    return new TrainerStatus(
        100, 0, List.of(new Metric("state", "completed")), Instant.ofEpochSecond(second));
  }
}
