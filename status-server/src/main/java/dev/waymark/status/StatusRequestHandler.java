package dev.waymark.status;

import dev.waymark.status.StatusEndpoint.Head;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings requests from Vert.x to the endpoint, and its answers back. */
final class StatusRequestHandler implements Handler<HttpServerRequest> {

  private static final Logger log = LoggerFactory.getLogger(StatusRequestHandler.class);

  private final StatusEndpoint endpoint;
  private final Connections connections;
  private final Context eventLoop;

  StatusRequestHandler(StatusEndpoint endpoint, Connections connections, Context eventLoop) {
    this.endpoint = endpoint;
    this.connections = connections;
    this.eventLoop = eventLoop;
  }

  @Override
  public void handle(HttpServerRequest request) {
    RequestBody body = new RequestBody(request, StatusEndpoint.MAX_BODY);
    Promise<Void> answered = Promise.promise();
    if (!connections.requestStarted(request.connection(), body.end(), answered.future())) {
      return;
    }
    // In a turn of its own: Vert.x calls this method for the next pipelined request from within the
    // end of a response, so answers given at once would pile up on the stack (seen with 4.5.24).
    answer(request, body)
        .onComplete(
            answer ->
                eventLoop.runOnContext(
                    nothing -> {
                      body.discard();
                      if (answer.succeeded()) {
                        write(answer.result(), request.response()).onComplete(answered);
                      } else {
                        answered.fail(answer.cause());
                      }
                    }));
  }

  /** Fails only when the client has gone. */
  private Future<StatusAnswer> answer(HttpServerRequest request, RequestBody body) {
    Head head =
        new Head(
            request.method().name(),
            request.uri(),
            contentLength(request),
            request.getHeader("Authorization"));
    try {
      return endpoint
          .answer(head, body::firstBytes)
          .recover(
              failure ->
                  body.isGone()
                      ? Future.failedFuture(failure)
                      : Future.succeededFuture(panic(failure)));
    } catch (RuntimeException e) {
      return Future.succeededFuture(panic(e));
    }
  }

  private static StatusAnswer panic(Throwable failure) {
    log.error("A defect of the status endpoint", failure);
    return StatusAnswer.panic();
  }

  private static long contentLength(HttpServerRequest request) {
    // Netty has refused what is no number by now.
    String declared = request.getHeader("Content-Length");
    return declared == null ? -1 : Long.parseLong(declared.strip());
  }

  private static Future<Void> write(StatusAnswer answer, HttpServerResponse response) {
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
