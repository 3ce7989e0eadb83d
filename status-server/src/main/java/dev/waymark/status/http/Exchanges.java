package dev.waymark.status.http;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings requests from Vert.x to the one who answers them, and the answers back. Lives on the
 * server's event loop.
 */
final class Exchanges implements Handler<HttpServerRequest> {

  private static final Logger log = LoggerFactory.getLogger(Exchanges.class);

  private final RequestAnswerer answerer;
  private final int maxBody;
  private final Connections connections;
  private final Context eventLoop;

  /**
   * Within the end of a response, where Vert.x calls {@link #handle} for the next pipelined request
   * (seen with 4.5.24): an answer given at once would pile up on the stack.
   */
  private boolean writing;

  Exchanges(RequestAnswerer answerer, int maxBody, Connections connections, Context eventLoop) {
    this.answerer = answerer;
    this.maxBody = maxBody;
    this.connections = connections;
    this.eventLoop = eventLoop;
  }

  @Override
  public void handle(HttpServerRequest request) {
    RequestBody body = new RequestBody(request, maxBody);
    Promise<Void> answered = Promise.promise();
    if (!connections.requestStarted(request.connection(), body.end(), answered.future())) {
      return;
    }
    Thread loop = Thread.currentThread();
    answer(request, body)
        .onComplete(
            answer -> {
              if (Thread.currentThread() == loop && body.isWhole() && !writing) {
                end(request, body, answer, answered);
              } else {
                eventLoop.runOnContext(nothing -> end(request, body, answer, answered));
              }
            });
  }

  private void end(
      HttpServerRequest request,
      RequestBody body,
      AsyncResult<HttpAnswer> answer,
      Promise<Void> answered) {
    body.discard();
    if (answer.failed()) {
      answered.fail(answer.cause());
      return;
    }
    writing = true;
    try {
      write(answer.result(), request.response()).onComplete(answered);
    } finally {
      writing = false;
    }
  }

  /** Fails only when the client has gone. */
  private Future<HttpAnswer> answer(HttpServerRequest request, RequestBody body) {
    RequestHead head =
        new RequestHead(
            request.method().name(),
            request.uri(),
            contentLength(request),
            request.getHeader("Authorization"));
    try {
      return answerer
          .answer(head, body::firstBytes)
          .recover(
              failure ->
                  body.isGone()
                      ? Future.failedFuture(failure)
                      : Future.succeededFuture(defect(head, failure)));
    } catch (RuntimeException e) {
      return Future.succeededFuture(defect(head, e));
    }
  }

  private HttpAnswer defect(RequestHead head, Throwable failure) {
    log.error("A defect in the answer to {} {}", head.method(), head.target(), failure);
    return answerer.defect();
  }

  private static long contentLength(HttpServerRequest request) {
    // Netty has refused what is no number by now.
    String declared = request.getHeader("Content-Length");
    return declared == null ? -1 : Long.parseLong(declared.strip());
  }

  private static Future<Void> write(HttpAnswer answer, HttpServerResponse response) {
    if (response.closed()) {
      return Future.succeededFuture();
    }
    response.setStatusCode(answer.code());
    if (answer.contentType() != null) {
      response.putHeader("Content-Type", answer.contentType());
    }
    if (answer.location() != null) {
      response.putHeader("Location", answer.location());
    }
    return response.end(answer.body());
  }
}
