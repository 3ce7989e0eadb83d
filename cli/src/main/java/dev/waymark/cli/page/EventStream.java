package dev.waymark.cli.page;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Consumer;

/**
 * Server-sent events to one open page. What a slow reader has not taken is bounded: beyond it
 * events are dropped, and when it reads again it gets what makes up for them. Used on one event
 * loop only.
 */
final class EventStream {

  private static final int MAX_WAITING_BYTES = 256 * 1024;

  private final HttpServerResponse response;
  private final Consumer<EventStream> everything;
  private boolean missedSomething;

  /**
   * @param everything sends what replaces all that came before
   */
  EventStream(HttpServerResponse response, Consumer<EventStream> everything) {
    this.response = response;
    this.everything = everything;
  }

  void open() {
    response.setChunked(true).setWriteQueueMaxSize(MAX_WAITING_BYTES);
    response.putHeader("Content-Type", "text/event-stream");
    response.drainHandler(drained -> catchUp());
    everything.accept(this);
  }

  /** Whether what is sent now is sure not to be dropped. */
  boolean hasRoom() {
    return !isOver() && !response.writeQueueFull();
  }

  /**
   * @param data one line
   */
  void send(String event, String data) {
    if (isOver()) {
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
      everything.accept(this);
    }
  }

  /** Sends a last event, however much is waiting, and ends; done when it is on its way. */
  Future<Void> end(String event, String data) {
    return isOver() ? Future.succeededFuture() : response.end(message(event, data));
  }

  private boolean isOver() {
    return response.ended() || response.closed();
  }

  private static Buffer message(String event, String data) {
    return Buffer.buffer("event: " + event + "\ndata: " + data + "\n\n");
  }
}
