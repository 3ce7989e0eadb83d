package dev.waymark.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.waymark.status.StatusSink.Outcome;
import dev.waymark.status.TokenVerifier.Claims;
import dev.waymark.status.TokenVerifier.Verdict;
import dev.waymark.status.http.HttpAnswer;
import dev.waymark.status.http.RequestHead;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** In which order the steps come, and that none is taken in vain. */
class StatusEndpointTest {

  private static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");
  private static final String BODY =
      "{\"trainerStatus\":{\"lastUpdatedTime\":\"2026-01-02T03:04:05Z\"}}";

  private final List<String> steps = new ArrayList<>();
  private TokenVerifier verifier =
      (token, audience, namespace) ->
          CompletableFuture.completedFuture(
              token.equals("good")
                  ? new Verdict.Accepted(
                      new Claims("pod", namespace, null, List.of(audience), Instant.MAX))
                  : new Verdict.Refused("not good"));
  private StatusSink sink =
      (trainJob, status) -> CompletableFuture.completedFuture(new Outcome.Written());

  @ParameterizedTest
  @MethodSource
  void takesOneStepAfterTheOther(RequestHead head, String body, HttpAnswer answer, String taken) {
    assertThat(answer(head, body).result()).isEqualTo(answer);
    assertThat(String.join(" ", steps)).isEqualTo(taken);
  }

  static Stream<Arguments> takesOneStepAfterTheOther() {
    String path = DEMO.statusPath();
    String good = "Bearer good";
    HttpAnswer tooLarge = StatusAnswer.tooLarge();
    HttpAnswer forbidden = StatusAnswer.forbidden();
    HttpAnswer nothing = StatusAnswer.nothingReported();
    return Stream.of(
        arguments(new RequestHead("POST", "/%", 70_000, null), BODY, StatusAnswer.badRequest(), ""),
        arguments(new RequestHead("POST", path, 65_537, null), BODY, tooLarge, ""),
        arguments(new RequestHead("POST", "/", 65_537, null), BODY, tooLarge, ""),
        arguments(new RequestHead("POST", "//", 1, null), BODY, StatusAnswer.redirect("/"), ""),
        arguments(new RequestHead("GET", path, 1, null), BODY, StatusAnswer.notFound(), ""),
        arguments(new RequestHead("POST", path, 1, null), BODY, forbidden, ""),
        arguments(new RequestHead("POST", path, 1, "Basic good"), BODY, forbidden, ""),
        arguments(new RequestHead("POST", path, 1, "Bearer bad"), BODY, forbidden, "verify"),
        arguments(
            new RequestHead("POST", path, -1, good),
            "{",
            StatusAnswer.invalidPayload(),
            "verify read"),
        arguments(new RequestHead("POST", path, -1, good), "{}", nothing, "verify read"),
        arguments(new RequestHead("POST", path, -1, good), "null", nothing, "verify read"));
  }

  @Test
  void writesWhatWasReportedAndEchoesIt() {
    RequestHead head = new RequestHead("POST", DEMO.statusPath(), 65_536, "Bearer good");

    HttpAnswer answer = answer(head, BODY).result();

    assertThat(answer.code()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(BODY + "\n");
    assertThat(steps).containsExactly("verify", "read", "write team-a/demo");
  }

  /** Such as the JDK's own, whose other methods throw. */
  @Test
  void takesStagesThatAreNothingElse() {
    sink = (trainJob, status) -> CompletableFuture.completedStage(new Outcome.Written());
    RequestHead head = new RequestHead("POST", DEMO.statusPath(), 1, "Bearer good");

    assertThat(answer(head, BODY).result().code()).isEqualTo(200);
  }

  @ParameterizedTest
  @MethodSource
  void answersByTheSinksOutcome(Outcome outcome, HttpAnswer answer) {
    sink = (trainJob, status) -> CompletableFuture.completedFuture(outcome);

    assertThat(answerGood().result()).isEqualTo(answer);
  }

  static Stream<Arguments> answersByTheSinksOutcome() {
    return Stream.of(
        arguments(new Outcome.TrainJobNotFound(), StatusAnswer.trainJobNotFound()),
        arguments(new Outcome.Unavailable(), StatusAnswer.unavailable()),
        arguments(new Outcome.Invalid("too much"), StatusAnswer.invalid("too much")));
  }

  @Test
  void aFailingVerifierIsAnInternalError() {
    verifier = (token, audience, namespace) -> CompletableFuture.failedFuture(new Broken());
    assertThat(answerGood().result()).isEqualTo(StatusAnswer.internalError());

    verifier =
        (token, audience, namespace) -> {
          throw new Broken();
        };
    assertThat(answerGood().result()).isEqualTo(StatusAnswer.internalError());

    verifier = (token, audience, namespace) -> CompletableFuture.completedFuture(null);
    assertThat(answerGood().result()).isEqualTo(StatusAnswer.internalError());

    verifier = (token, audience, namespace) -> null;
    assertThat(answerGood().result()).isEqualTo(StatusAnswer.internalError());
    assertThat(steps).containsOnly("verify");
  }

  @Test
  void aFailingSinkIsAnInternalError() {
    sink = (trainJob, status) -> CompletableFuture.failedFuture(new Broken());
    assertThat(answerGood().result()).isEqualTo(StatusAnswer.internalError());

    sink =
        (trainJob, status) -> {
          throw new Broken();
        };
    assertThat(answerGood().result()).isEqualTo(StatusAnswer.internalError());

    sink = (trainJob, status) -> CompletableFuture.completedFuture(null);
    assertThat(answerGood().result()).isEqualTo(StatusAnswer.internalError());
  }

  @Test
  void nobodyIsAnsweredWhoHasGone() {
    RequestHead head = new RequestHead("POST", DEMO.statusPath(), 1, "Bearer good");

    Future<HttpAnswer> answer =
        endpoint().answer(head, () -> Future.failedFuture("connection was closed"));

    assertThat(answer.failed()).isTrue();
    assertThat(steps).containsExactly("verify");
  }

  private Future<HttpAnswer> answerGood() {
    return answer(new RequestHead("POST", DEMO.statusPath(), 1, "Bearer good"), BODY);
  }

  private Future<HttpAnswer> answer(RequestHead head, String body) {
    return endpoint()
        .answer(
            head,
            () -> {
              steps.add("read");
              return Future.succeededFuture(Buffer.buffer(body));
            });
  }

  /** Asks verifier and sink, and notes it. */
  private StatusEndpoint endpoint() {
    return new StatusEndpoint(
        (token, audience, namespace) -> {
          steps.add("verify");
          return verifier.verify(token, audience, namespace);
        },
        (trainJob, status) -> {
          steps.add("write " + trainJob);
          return sink.write(trainJob, status);
        });
  }

  private static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken() {
      super("broken on purpose");
    }
  }
}
