package dev.waymark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.FakeApiServer;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.TokenBucket;
import dev.waymark.status.StatusSink.Outcome;
import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.TrainerStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A write that is never answered ends, and the reports of its TrainJob go on. */
class SilentApiServerTest {

  private static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");
  private static final String PATH =
      "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team-a/trainjobs/demo";

  private final FakeApiServer apiServer = new FakeApiServer();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private KubernetesClient client;
  private KubernetesStatusSink sink;

  @BeforeEach
  void connect() {
    client = apiServer.newClient();
    sink =
        new KubernetesStatusSink(
            new TrainJobStatuses(new ApiServer(client, Duration.ofSeconds(1)), trainJob -> true),
            new TokenBucket(0, 0),
            Duration.ofMillis(20),
            timer);
    apiServer.put(PATH, "{\"metadata\": {\"name\": \"demo\", \"namespace\": \"team-a\"}}");
  }

  @AfterEach
  void close() {
    timer.shutdownNow();
    client.close();
    apiServer.close();
  }

  @Test
  void goesOnAfterAReportThatWasWrittenThrough() throws Exception {
    apiServer.ignore(write -> true);
    CompletableFuture<Outcome> first = write(progress(1));
    assertThat(write(progress(2)).get(30, TimeUnit.SECONDS)).isEqualTo(new Outcome.Written());

    assertUnanswered(first);
    await().untilAsserted(() -> assertThat(stored()).isEqualTo(2));
    assertThat(sink.waiting()).isZero();
  }

  @Test
  void goesOnAfterALastWord() throws Exception {
    apiServer.ignore(write -> true);

    assertUnanswered(write(progress(100)));
    assertThat(write(progress(100)).get(30, TimeUnit.SECONDS)).isEqualTo(new Outcome.Written());
    assertThat(stored()).isEqualTo(100);
  }

  private static void assertUnanswered(CompletableFuture<Outcome> answer) {
    assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(SocketTimeoutException.class);
  }

  private int stored() {
    return apiServer.get(PATH).orElseThrow().at("/status/trainerStatus/progressPercentage").asInt();
  }

  private CompletableFuture<Outcome> write(TrainerStatus report) {
    return sink.write(DEMO, report).toCompletableFuture();
  }

  private static TrainerStatus progress(int percent) {
    return new TrainerStatus(percent, null, null, Instant.ofEpochSecond(1_000_000 + percent));
  }
}
