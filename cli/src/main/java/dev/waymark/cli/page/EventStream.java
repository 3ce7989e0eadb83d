package dev.waymark.cli.page;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Supplier;

/**
 * Server-sent events to one open page. What a slow reader has not taken is bounded: beyond it
 * events are dropped, and when it reads again it gets one with everything. Used on one event loop
 * only.
 */
final class EventStream {

  private static final int MAX_WAITING_BYTES = 256 * 1024;

  private final HttpServerResponse response;
  private final Supplier<String> everything;
  private boolean missedSomething;

  /**
   * @param everything the data of an event {@code runs}, which replaces all that came before
   */
  EventStream(HttpServerResponse response, Supplier<String> everything) {
    this.response = response;
    this.everything = everything;
  }

  void open() {
    response.setChunked(true).setWriteQueueMaxSize(MAX_WAITING_BYTES);
    response.putHeader("Content-Type", "text/event-stream");
    response.drainHandler(drained -> catchUp());
    send("runs", everything.get());
  }

  /**
   * @param data one line
   */
  void send(String event, String data) {
    if (response.ended() || response.closed()) {
      return;
    }
    if (response.writeQueueFull()) {
      missedSomething = true;
      return;
    }
    response.write(message(event, data));
  }

  private void catchUp() {
    if (missedSomething) {
      missedSomething = false;
      send("runs", everything.get());
    }
  }

  /** Sends a last event, however much is waiting, and ends; done when it is on its way. */
  Future<Void> end(String event, String data) {
    if (response.ended() || response.closed()) {
      return Future.succeededFuture();
    }
    return response.end(message(event, data));
  }

  private static Buffer message(String event, String data) {
    return Buffer.buffer("event: " + event + "\ndata: " + data + "\n\n");
  }
}
