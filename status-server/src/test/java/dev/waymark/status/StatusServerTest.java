package dev.waymark.status;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.status.StatusSink.Outcome;
import dev.waymark.status.TlsClient.Response;
import dev.waymark.trainer.api.TrainerStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients see over TLS, beside the recorded answers of {@link UpstreamConformanceTest}. */
@Timeout(60)
class StatusServerTest {

  private static final String ECHO =
      "{\"trainerStatus\":{\"progressPercentage\":42,"
          + "\"lastUpdatedTime\":\"2026-01-02T03:04:05Z\"}}\n";

  private static TestServer running;

  @BeforeAll
  static void start() throws Exception {
    running = new TestServer();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @BeforeEach
  void forgetReports() {
    running.reports.clear();
  }

  @Test
  void echoesAndHandsOnWhatWasReported() throws Exception {
    Instant before = Instant.now();

    Response response = exchange(running.goodRequest());

    assertThat(response.code()).isEqualTo(200);
    assertThat(response.headers()).containsEntry("content-type", "application/json");
    assertThat(response.body()).isEqualTo(ECHO);
    assertThat(running.reports)
        .singleElement()
        .satisfies(
            report -> {
              assertThat(report.trainJob()).isEqualTo(TestServer.DEMO);
              assertThat(report.status())
                  .isEqualTo(
                      new TrainerStatus(42, null, null, Instant.parse("2026-01-02T03:04:05Z")));
              assertThat(report.receivedAt()).isBetween(before, Instant.now());
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /healthz HTTP/1.1        |404|NotFound|Not found",
        "POST /apis/trainer.kubeflow.org/v1alpha1/namespaces/team-a/trainjobs/demo/status HTTP/1.1"
            + "|403|Forbidden|Forbidden",
        "POST /apis/trainer.kubeflow.org/v1alpha1/namespaces/team-a/trainjobs/demo/status HTTP/1.0"
            + "|403|Forbidden|Forbidden",
      })
  void failuresAreKubernetesStatuses(String line, int code, String reason, String message)
      throws Exception {
    Response response = exchange(line + "\r\nHost: localhost\r\n\r\n");

    assertThat(response.code()).isEqualTo(code);
    assertThat(response.headers()).containsEntry("content-type", "application/json");
    assertThat(response.body())
        .isEqualTo(
            "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"%s\",\"reason\":\"%s\",\"code\":%d}\n"
                .formatted(message, reason, code));
  }

  @Test
  void answersHeadWithoutABody() throws Exception {
    try (TlsClient client = running.connect()) {
      client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.receive("HEAD").code()).isEqualTo(404);

      client.send(running.goodRequest());
      assertThat(client.receive().code()).isEqualTo(200);
    }
  }

  @Test
  void aBrokenEscapeIsABadRequest() throws Exception {
    Response response = exchange("POST /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n");

    assertThat(response.code()).isEqualTo(400);
    assertThat(response.headers()).containsEntry("content-type", "text/plain; charset=utf-8");
    assertThat(response.body()).isEqualTo("400 Bad Request");
  }

  @ParameterizedTest
  @CsvSource({
    "'POST /{9000} HTTP/1.1\r\nHost: localhost\r\n\r\n', 414",
    "'POST / HTTP/1.1\r\nHost: localhost\r\nX: {40000}\r\n\r\n', 431",
    "'nonsense\r\n\r\n', 400",
    "'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n', 400",
    "'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n', 400",
    "'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 400",
    "'POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n', 400",
  })
  void refusesAndClosesWhatIsNoRequest(String template, int code) throws Exception {
    String request =
        template.replace("{9000}", "x".repeat(9_000)).replace("{40000}", "x".repeat(40_000));
    try (TlsClient client = running.connect()) {
      client.send(request);

      assertThat(client.receive().code()).isEqualTo(code);
      assertThat(client.isClosedSilently()).isTrue();
    }
  }

  @Test
  void answersManyRequestsOnOneConnection() throws Exception {
    try (TlsClient client = running.connect()) {
      for (int i = 0; i < 20; i++) {
        client.send(running.goodRequest());
        assertThat(client.receive().code()).isEqualTo(200);
      }
    }
    assertThat(running.reports).hasSize(20);
  }

  @Test
  void answersPipelinedRequestsInOrder() throws Exception {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      requests.append(running.request(TestServer.BODY.replace("42", String.valueOf(i))));
      requests.append("GET /").append(i).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    try (TlsClient client = running.connect()) {
      client.send(requests.toString());

      for (int i = 0; i < 20; i++) {
        assertThat(client.receive().body()).contains("\"progressPercentage\":" + i + ",");
        assertThat(client.receive().code()).isEqualTo(404);
      }
    }
  }

  @Test
  void answersThousandsOfPipelinedRequests() throws Exception {
    try (TlsClient client = running.connect()) {
      // The first waits for its token's check, the others wait for the first.
      client.send(
          running.goodRequest() + "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(10_000));

      assertThat(client.receive().code()).isEqualTo(200);
      for (int i = 0; i < 10_000; i++) {
        assertThat(client.receive().code()).isEqualTo(404);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1\r\nConnection: close", "HTTP/1.0"})
  void closesWhenTheClientWantsIt(String version) throws Exception {
    try (TlsClient client = running.connect()) {
      client.send(running.goodRequest().replaceFirst("HTTP/1.1", version));

      assertThat(client.receive().code()).isEqualTo(200);
      assertThat(client.isClosedSilently()).isTrue();
    }
  }

  @Test
  void keepsTheConnectionAfterABodyThatIsTooLarge() throws Exception {
    try (TlsClient client = running.connect()) {
      client.send(running.request("x".repeat(70_000)));
      assertThat(client.receive().code()).isEqualTo(413);

      client.send(running.goodRequest());
      assertThat(client.receive().code()).isEqualTo(200);
    }
  }

  @Test
  void doesNotAskForABodyThatItWillNotRead() throws Exception {
    try (TlsClient client = running.connect()) {
      client.send(
          "POST %s HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
              .formatted(TestServer.DEMO.statusPath()));

      assertThat(client.receive().code()).isEqualTo(403);
    }
  }

  @Test
  void asksForABodyThatTheClientHoldsBack() throws Exception {
    try (TlsClient client = running.connect()) {
      client.send(
          running.head("Expect: 100-continue\r\nContent-Length: " + TestServer.BODY.length()));
      assertThat(client.receive().code()).isEqualTo(100);

      client.send(TestServer.BODY);
      assertThat(client.receive().code()).isEqualTo(200);
    }
  }

  @Test
  void takesABodyInManyPieces() throws Exception {
    try (TlsClient client = running.connect()) {
      client.send(running.head("Transfer-Encoding: chunked"));
      for (char c : TestServer.BODY.toCharArray()) {
        client.send("1\r\n" + c + "\r\n");
      }
      client.send("0\r\n\r\n");

      assertThat(client.receive().body()).isEqualTo(ECHO);
    }
  }

  @Test
  void aBrokenChunkEndsTheConnection() throws Exception {
    try (TlsClient client = running.connect()) {
      client.send(running.head("Transfer-Encoding: chunked") + "zz\r\n");

      assertThat(client.isClosedSilently()).isTrue();
    }
  }

  @Test
  void aValueThatEndsWithinTheLimitIsReadFromALongerBody() throws Exception {
    String padding = " ".repeat(70_000 - TestServer.BODY.length());
    String request =
        running.head("Transfer-Encoding: chunked")
            + "%x\r\n%s%s\r\n0\r\n\r\n".formatted(70_000, TestServer.BODY, padding);

    assertThat(exchange(request).body()).isEqualTo(ECHO);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP_1_1", "HTTP_2"})
  void servesTheJdksClient(HttpClient.Version version) throws Exception {
    HttpClient client =
        HttpClient.newBuilder().sslContext(running.clientContext()).version(version).build();
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    "https://127.0.0.1:" + running.server.port() + TestServer.DEMO.statusPath()))
            .header("Authorization", "Bearer " + running.tokens.token(TestServer.DEMO))
            .POST(BodyPublishers.ofString(TestServer.BODY))
            .build();

    for (int i = 0; i < 3; i++) {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
      assertThat(response.body()).isEqualTo(ECHO);
    }
  }

  @Test
  void waitsForTheSinkWhereverItAnswers() throws Exception {
    StatusSink elsewhere =
        (trainJob, status) ->
            CompletableFuture.supplyAsync(
                Outcome.Written::new, CompletableFuture.delayedExecutor(50, MILLISECONDS));

    assertThat(exchangeWith(elsewhere).body()).isEqualTo(ECHO);
  }

  @Test
  void aSinkThatFailsIsAnInternalError() throws Exception {
    assertInternalError(
        exchangeWith(
            (trainJob, status) ->
                CompletableFuture.failedFuture(new IllegalStateException("sink is down"))));
  }

  @Test
  void aSinkThatThrowsIsAnInternalError() throws Exception {
    assertInternalError(
        exchangeWith(
            (trainJob, status) -> {
              throw new IllegalStateException("sink is broken");
            }));
  }

  private static void assertInternalError(Response response) {
    assertThat(response.code()).isEqualTo(500);
    assertThat(response.body())
        .isEqualTo(
            "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"Internal error\","
                + "\"reason\":\"InternalError\",\"code\":500}\n");
  }

  private static Response exchange(String request) throws Exception {
    try (TlsClient client = running.connect()) {
      client.send(request);
      return client.receive();
    }
  }

  private static Response exchangeWith(StatusSink sink) throws Exception {
    try (TestServer other = new TestServer(sink, UnaryOperator.identity());
        TlsClient client = other.connect()) {
      client.send(other.goodRequest());
      return client.receive();
    }
  }
}
