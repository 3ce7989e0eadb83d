package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.status.http.HttpAnswer;
import dev.waymark.status.http.RequestHead;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class WebhookEndpointTest {

  private static final String ASKED =
      "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":"
          + "{\"uid\":\"u1\",\"operation\":\"CREATE\",\"object\":{}}}";

  private final ExecutorService executor = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    executor.shutdownNow();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /hook, 200",
    "POST, /hook?timeout=10s, 200",
    "POST, /hooks, 404",
    "POST, /hook/, 404",
    "POST, /, 404",
    "GET, /hook, 405",
    "PUT, /hook, 405"
  })
  void findsTheWebhookByPath(String method, String target, int code) throws Exception {
    HttpAnswer answer = ask(request -> Decision.ALLOWED, method, target, ASKED);

    assertThat(answer.code()).isEqualTo(code);
  }

  @Test
  void answersWithTheUidOfTheQuestion() throws Exception {
    JsonNode response = response(request -> Decision.ALLOWED, ASKED);

    assertThat(response.path("uid").asText()).isEqualTo("u1");
    assertThat(response.path("allowed").asBoolean()).isTrue();
  }

  @Test
  void asksNobodyAboutWhatStoresNothing() throws Exception {
    Webhook never =
        request -> {
          throw new IllegalStateException("asked");
        };

    JsonNode response = response(never, ASKED.replace("CREATE", "DELETE"));

    assertThat(response.path("allowed").asBoolean()).isTrue();
  }

  @Test
  void refusesQuestionsThatAreNone() throws Exception {
    HttpAnswer answer = ask(request -> Decision.ALLOWED, "POST", "/hook", "{}");

    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.body()).contains("kind and apiVersion must be");
  }

  @Test
  void refusesQuestionsThatAreTooLong() throws Exception {
    WebhookEndpoint endpoint = endpoint(request -> Decision.ALLOWED, Duration.ofSeconds(30));
    int most = WebhookEndpoint.MAX_BODY;

    Future<HttpAnswer> declared =
        endpoint.answer(new RequestHead("POST", "/hook", most + 1, null), () -> null);
    Future<HttpAnswer> sent =
        endpoint.answer(
            new RequestHead("POST", "/hook", -1, null),
            () -> Future.succeededFuture(Buffer.buffer(new byte[most + 1])));

    assertThat(List.of(declared.result().code(), sent.result().code())).containsOnly(413);
  }

  @Test
  void anUnreadableObjectIsABadRequest() throws Exception {
    JsonNode response =
        response(
            request -> {
              throw new UnreadableObjectException("spec.x: is text");
            },
            ASKED);

    assertThat(response.path("status").toString())
        .isEqualTo("{\"status\":\"Failure\",\"code\":400,\"message\":\"spec.x: is text\"}");
  }

  @Test
  void aFailureIsAnAnswerToo() throws Exception {
    JsonNode failed =
        response(
            request -> {
              throw new IllegalStateException("API server away");
            },
            ASKED);
    assertThat(failed.at("/status/code").asInt()).isEqualTo(500);
    assertThat(failed.at("/status/message").asText()).contains("API server away");

    JsonNode broken =
        response(
            request -> {
              throw new AssertionError("defect");
            },
            ASKED);
    assertThat(broken.at("/status/code").asInt()).isEqualTo(500);
  }

  @Test
  void answersInTimeWhateverTheWebhookDoes() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    WebhookEndpoint endpoint =
        endpoint(
            request -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return Decision.ALLOWED;
            },
            Duration.ofMillis(100));

    JsonNode response = responseOf(ask(endpoint, "POST", "/hook", ASKED));

    assertThat(response.path("allowed").asBoolean()).isFalse();
    assertThat(response.at("/status/message").asText()).contains("in time");
  }

  @Test
  void answersWhileItShutsDown() throws Exception {
    executor.shutdownNow();

    assertThat(response(request -> Decision.ALLOWED, ASKED).at("/status/code").asInt())
        .isEqualTo(500);
  }

  @Test
  void failsWhenTheClientHasGone() {
    Future<HttpAnswer> answer =
        endpoint(request -> Decision.ALLOWED, Duration.ofSeconds(1))
            .answer(
                new RequestHead("POST", "/hook", 10, null),
                () -> Future.failedFuture("connection was closed"));

    assertThat(answer.failed()).isTrue();
  }

  private JsonNode response(Webhook webhook, String body) throws Exception {
    return responseOf(ask(webhook, "POST", "/hook", body));
  }

  private static JsonNode responseOf(HttpAnswer answer) throws Exception {
    assertThat(answer.code()).isEqualTo(200);
    return new ObjectMapper().readTree(answer.body()).path("response");
  }

  private HttpAnswer ask(Webhook webhook, String method, String target, String body)
      throws Exception {
    return ask(endpoint(webhook, Duration.ofSeconds(30)), method, target, body);
  }

  private static HttpAnswer ask(WebhookEndpoint endpoint, String method, String target, String body)
      throws Exception {
    return endpoint
        .answer(
            new RequestHead(method, target, body.length(), null),
            () -> Future.succeededFuture(Buffer.buffer(body)))
        .toCompletionStage()
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
  }

  private WebhookEndpoint endpoint(Webhook webhook, Duration limit) {
    return new WebhookEndpoint(Map.of("/hook", webhook), executor, limit);
  }
}
