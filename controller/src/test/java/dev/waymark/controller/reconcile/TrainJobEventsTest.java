package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.FakeApiServer.Write;
import dev.waymark.controller.SettableClock;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same words again and again. */
class TrainJobEventsTest extends OnFakeApiServer {

  private final TrainJob about = demo();
  private final SettableClock clock = new SettableClock(Instant.parse("2026-01-02T03:04:05Z"));
  private TrainJobEvents events;

  @BeforeEach
  void create() {
    Writes writes =
        new Writes(
            new ApiServer(client),
            client.getKubernetesSerialization(),
            ControllerConfiguration.DEFAULTS.clientConnection(),
            new Courtesy(trainJob -> {}));
    events = new TrainJobEvents(writes, "test", clock);
  }

  @Test
  void areOneEventThatIsCountedOnceAMinute() {
    warn();
    await().until(() -> events().size() == 1);
    warn();
    clock.set(clock.instant().plus(Duration.ofSeconds(61)));
    warn();

    await().until(() -> writes("PATCH") == 1);
    assertThat(apiServer.writes().get(1).body().path("count").asInt()).isEqualTo(3);
    assertThat(events()).containsExactly("Why: the same words");
  }

  @Test
  void makeAnEventAgainIfTheFirstWasNotTaken() {
    apiServer.refuse(TrainJobEventsTest::isEvent, 500, "not now");

    await()
        .until(
            () -> {
              warn();
              return events().size() == 2;
            });
    settle();
    assertThat(writes("PATCH")).isZero();
  }

  /** An API server lets go of events after an hour or so. */
  @Test
  void makeAnEventAgainIfTheFirstIsNotThereAnyMore() {
    warn();
    await().until(() -> events().size() == 1);
    apiServer.refuse(TrainJobEventsTest::isEvent, 404, "no such event");
    clock.set(clock.instant().plus(Duration.ofHours(1)));

    await()
        .until(
            () -> {
              warn();
              return events().size() == 2;
            });
    assertThat(writes("PATCH")).isEqualTo(1);
  }

  private void warn() {
    events.warn(about, "Why", "the same words");
  }

  private long writes(String method) {
    return apiServer.writes().stream().filter(write -> write.method().equals(method)).count();
  }

  private static boolean isEvent(Write write) {
    return write.path().contains("/events");
  }

  private static TrainJob demo() {
    return TrainerJson.fromMap(
        Map.of(
            "metadata",
            Map.of("name", "demo", "namespace", "team-a", "uid", UID, "resourceVersion", "1"),
            "spec",
            Map.of("runtimeRef", Map.of("name", "plain"))),
        TrainJob.class);
  }
}
