package dev.waymark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.controller.FakeApiServer;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.metrics.MetricsReaders.Verdict;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsReadersTest {

  private static final String REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final FakeApiServer apiServer = new FakeApiServer();
  private KubernetesClient client;

  @BeforeEach
  void connect() {
    client = apiServer.newClient();
  }

  @AfterEach
  void close() {
    client.close();
    apiServer.close();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-,true,true,UNKNOWN",
        "Basic abc,true,true,UNKNOWN",
        "Bearer abc,false,true,UNKNOWN",
        "Bearer abc,true,false,FORBIDDEN",
        "Bearer abc,true,true,ALLOWED",
        "bearer abc,true,true,ALLOWED"
      })
  void letsThoseReadWhomTheApiServerKnowsAndLets(
      String authorization, boolean known, boolean allowed, Verdict expected) {
    apiServer.serve(
        REVIEWS,
        "{\"status\": {\"authenticated\": " + known + ", \"user\": {\"username\": \"u\"}}}");
    apiServer.serve(
        "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        "{\"status\": {\"allowed\": " + allowed + "}}");
    MetricsReaders readers = new MetricsReaders(new ApiServer(client), "/metrics");

    assertThat(readers.mayRead(authorization).join()).isEqualTo(expected);
  }

  /** An API server that is back lets nobody wait for old failures to be forgotten. */
  @Test
  void asksAgainWhereThereWasNoVerdict() {
    MetricsReaders readers = new MetricsReaders(new ApiServer(client), "/metrics");
    apiServer.refuse(write -> write.path().endsWith("/tokenreviews"), 503, "not now");
    assertThat(readers.mayRead("Bearer abc"))
        .failsWithin(LIMIT)
        .withThrowableThat()
        .withMessageContaining("not now");

    apiServer.serve(REVIEWS, "{\"status\": {\"authenticated\": false}}");
    assertThat(readers.mayRead("Bearer abc")).succeedsWithin(LIMIT).isEqualTo(Verdict.UNKNOWN);

    apiServer.serve(REVIEWS, "no JSON");
    assertThat(readers.mayRead("Bearer abc"))
        .as("remembered")
        .succeedsWithin(LIMIT)
        .isEqualTo(Verdict.UNKNOWN);
  }
}
