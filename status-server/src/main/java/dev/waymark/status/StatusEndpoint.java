package dev.waymark.status;

import static java.util.Objects.requireNonNull;

import dev.waymark.status.StatusSink.Outcome;
import dev.waymark.status.TokenVerifier.Verdict;
import dev.waymark.status.http.HttpAnswer;
import dev.waymark.status.http.RequestAnswerer;
import dev.waymark.status.http.RequestHead;
import dev.waymark.trainer.api.TrainerStatus;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers one request, step by step as Kubeflow Trainer 2.3 does: size, route, token, body, sink.
 */
final class StatusEndpoint implements RequestAnswerer {

  /** Longest body, in bytes. */
  static final int MAX_BODY = 65_536;

  private static final String BEARER = "bearer";
  private static final String NOTHING = "neither an answer nor a failure";

  private static final Logger log = LoggerFactory.getLogger(StatusEndpoint.class);

  private final TokenVerifier verifier;
  private final StatusSink sink;

  StatusEndpoint(TokenVerifier verifier, StatusSink sink) {
    this.verifier = verifier;
    this.sink = sink;
  }

  @Override
  public Future<HttpAnswer> answer(RequestHead head, Supplier<Future<Buffer>> body) {
    StatusRoute route = StatusRoute.of(head.method(), head.target());
    if (route instanceof StatusRoute.Malformed) {
      return Future.succeededFuture(StatusAnswer.badRequest());
    }
    if (head.contentLength() > MAX_BODY) {
      return Future.succeededFuture(StatusAnswer.tooLarge());
    }
    if (route instanceof StatusRoute.Redirect redirect) {
      return Future.succeededFuture(StatusAnswer.redirect(redirect.location()));
    }
    if (route instanceof StatusRoute.Status status) {
      return authenticate(head, status.trainJob(), body);
    }
    return Future.succeededFuture(StatusAnswer.notFound());
  }

  @Override
  public HttpAnswer defect() {
    return StatusAnswer.panic();
  }

  private Future<HttpAnswer> authenticate(
      RequestHead head, TrainJobKey trainJob, Supplier<Future<Buffer>> body) {
    String token = bearerToken(head.authorization());
    if (token == null) {
      return Future.succeededFuture(StatusAnswer.forbidden());
    }
    Future<Verdict> verdict =
        ask(() -> verifier.verify(token, trainJob.audience(), trainJob.namespace()));
    return verdict.transform(
        asked -> {
          if (asked.failed()) {
            logFailure("Can't check tokens", asked.cause());
            return Future.succeededFuture(StatusAnswer.internalError());
          }
          if (asked.result() instanceof Verdict.Refused refused) {
            log.debug("Refused a token for {}: {}", head.target(), refused.reason());
            return Future.succeededFuture(StatusAnswer.forbidden());
          }
          return body.get().compose(bytes -> decodeAndWrite(head, trainJob, bytes));
        });
  }

  /** The token of an Authorization header, which must have exactly two fields; else null. */
  static String bearerToken(String authorization) {
    if (authorization == null) {
      return null;
    }
    String text = authorization.strip();
    int schemeEnd = fieldEnd(text, 0);
    int start = spaceEnd(text, schemeEnd);
    boolean isBearer =
        schemeEnd == BEARER.length() && text.regionMatches(true, 0, BEARER, 0, schemeEnd);
    String token = isBearer ? text.substring(start) : "";
    return token.isEmpty() || hasSpace(token) ? null : token;
  }

  /**
   * A token is the longest part of a request, and to look at the characters of a text takes several
   * times as long as to look at bytes.
   */
  private static boolean hasSpace(String text) {
    for (byte b : text.getBytes(StandardCharsets.ISO_8859_1)) {
      if (isSpace(b)) {
        return true;
      }
    }
    return false;
  }

  private static int fieldEnd(String text, int start) {
    int end = start;
    while (end < text.length() && !isSpace(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static int spaceEnd(String text, int start) {
    int end = start;
    while (end < text.length() && isSpace(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isSpace(int c) {
    return c <= ' ' && (c == ' ' || (c >= '\t' && c <= '\r'));
  }

  private Future<HttpAnswer> decodeAndWrite(RequestHead head, TrainJobKey trainJob, Buffer body) {
    Optional<TrainerStatus> status;
    try {
      status = StatusRequestDecoder.decode(body.getBytes());
    } catch (InvalidPayloadException e) {
      log.debug("Refused a body for {}: {}", head.target(), e.getMessage());
      return Future.succeededFuture(StatusAnswer.invalidPayload());
    }
    return status
        .map(reported -> write(head, trainJob, reported))
        .orElseGet(() -> Future.succeededFuture(StatusAnswer.nothingReported()));
  }

  private Future<HttpAnswer> write(RequestHead head, TrainJobKey trainJob, TrainerStatus status) {
    return ask(() -> sink.write(trainJob, status))
        .map(outcome -> answer(outcome, status))
        .otherwise(
            failure -> {
              logFailure("Can't write " + head.target(), failure);
              return StatusAnswer.internalError();
            });
  }

  private static HttpAnswer answer(Outcome outcome, TrainerStatus status) {
    if (outcome instanceof Outcome.Invalid invalid) {
      return StatusAnswer.invalid(invalid.message());
    }
    if (outcome instanceof Outcome.Unavailable) {
      return StatusAnswer.unavailable();
    }
    return outcome instanceof Outcome.TrainJobNotFound
        ? StatusAnswer.trainJobNotFound()
        : StatusAnswer.accepted(status);
  }

  /** One line, since it may come with every report; the stack trace for those who ask. */
  private static void logFailure(String what, Throwable failure) {
    log.error("{}: {}", what, failure.toString());
    log.debug("{}", what, failure);
  }

  /**
   * Comes back to the event loop that it was called on. A call that throws, or comes to nothing,
   * counts as one that fails.
   */
  private static <T> Future<T> ask(Supplier<CompletionStage<T>> call) {
    try {
      CompletableFuture<T> stage = call.get().toCompletableFuture();
      if (stage.isDone() && !stage.isCompletedExceptionally()) {
        // As most are; a turn of the event loop would cost more than all the rest of it.
        return Future.succeededFuture(requireNonNull(stage.join(), NOTHING));
      }
      Context context = Vertx.currentContext();
      Future<T> asked =
          context == null
              ? Future.fromCompletionStage(stage)
              : Future.fromCompletionStage(stage, context);
      return asked.map(result -> requireNonNull(result, NOTHING));
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }
}
