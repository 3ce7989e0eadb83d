package dev.waymark.status.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/**
 * Takes in the body of one request, as it comes, and holds its first bytes at most. What a client
 * sends beyond is thrown away for a while, so that it gets to read the answer; then the connection
 * is closed. Lives on the request's event loop.
 */
final class RequestBody {

  /** As much as Go's server reads in vain before it closes the connection, in bytes. */
  private static final int MAX_DISCARDED = 256 * 1024;

  private final HttpServerRequest request;
  private final int limit;
  private final Promise<Buffer> firstBytes = Promise.promise();
  private final Promise<Void> end = Promise.promise();
  private Buffer held = Buffer.buffer();
  private long received;

  /** Starts to read; must be made before the request's handler returns. */
  RequestBody(HttpServerRequest request, int limit) {
    this.request = request;
    this.limit = limit;
    request.handler(this::take);
    request.endHandler(nothing -> complete());
    request.exceptionHandler(this::fail);
  }

  /** The body, or its first bytes as soon as it exceeds the limit. Fails when the client goes. */
  Future<Buffer> firstBytes() {
    if (request.headers().contains("Expect", "100-continue", true) && received == 0) {
      request.response().writeContinue();
    }
    return firstBytes.future();
  }

  /** Whether the client has gone before all of the request was in. */
  boolean isGone() {
    return end.future().failed();
  }

  /** Whether all of the request is in. */
  boolean isWhole() {
    return end.future().succeeded();
  }

  /** Completes when all of the request is in; fails when the client goes before. */
  Future<Void> end() {
    return end.future();
  }

  /** Lets go of what is held: nobody will ask for it. */
  void discard() {
    held = Buffer.buffer();
    received = Math.max(received, limit);
  }

  private void take(Buffer chunk) {
    long room = limit - received;
    received += chunk.length();
    if (room >= chunk.length()) {
      held.appendBuffer(chunk);
      return;
    }
    if (room > 0) {
      held.appendBuffer(chunk, 0, (int) room);
    }
    firstBytes.tryComplete(held);
    if (received > limit + MAX_DISCARDED) {
      request.connection().close();
    }
  }

  /** The end first, since whoever gets the bytes may answer at once. */
  private void complete() {
    end.tryComplete();
    firstBytes.tryComplete(held);
  }

  private void fail(Throwable cause) {
    end.tryFail(cause);
    firstBytes.tryFail(cause);
  }
}
