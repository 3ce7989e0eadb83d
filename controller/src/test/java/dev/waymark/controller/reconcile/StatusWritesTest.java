package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statuses that somebody else writes while the reconciler makes its own. */
class StatusWritesTest extends OnFakeApiServer {

  @BeforeEach
  void run() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());
    settle();
  }

  @Test
  void keepWhatCameInBetween() {
    apiServer.changeUnseen(
        TRAINJOB,
        """
        {"status": {"trainerStatus": {"progressPercentage": 100}, "conditions": [{"type": "Mine",
          "status": "True", "reason": "R", "message": "",
          "lastTransitionTime": "2026-01-02T03:04:05Z"}]}}
        """);

    complete();

    await().until(() -> condition("Complete").equals("True"));
    assertThat(condition("Mine")).isEqualTo("True");
    assertThat(trainJob().at("/status/trainerStatus/progressPercentage").asInt()).isEqualTo(100);
    await().untilAsserted(() -> assertThat(observed.finished).containsExactly("demo"));
  }

  /** The replica that led before has said it, and has counted it. */
  @Test
  void doNotSayTwiceThatATrainJobIsFinished() {
    JsonNode finished =
        apiServer.changeUnseen(
            TRAINJOB,
            """
            {"status": {"conditions": [{"type": "Complete", "status": "True",
              "reason": "AllJobsCompleted", "message": "jobset completed successfully",
              "lastTransitionTime": "2026-01-02T03:04:05Z"}]}}
            """);

    complete();
    await().until(() -> paths("PATCH").contains(TRAINJOB + "/status"));
    settle();

    assertThat(trainJob()).isEqualTo(finished);
    assertThat(observed.finished).isEmpty();
  }

  /** It is gone, and another one has its name. */
  @Test
  void areNotForASuccessorOfTheSameName() {
    JsonNode successor = apiServer.changeUnseen(TRAINJOB, "{\"metadata\": {\"uid\": \"4-5-6\"}}");

    complete();
    await().until(() -> paths("PATCH").contains(TRAINJOB + "/status"));
    settle();

    assertThat(trainJob()).isEqualTo(successor);
    assertThat(observed.finished).isEmpty();
  }
}
