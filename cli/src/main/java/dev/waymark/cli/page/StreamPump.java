package dev.waymark.cli.page;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Hands {@link PageStream}s on to the pages that read them, as fast as these read. Used on one
 * event loop only.
 */
final class StreamPump {

  private static final int MAX_STREAMS = 8;
  private static final long PACE_MS = 200;

  /** A connection on which nothing comes for a minute is closed. */
  private static final long HEARTBEAT_MS = 10_000;

  private final Vertx vertx;
  private final Set<Pumped> open = new LinkedHashSet<>();

  StreamPump(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Starts a stream, and serves it until it or its page ends; false when too many are open. */
  boolean add(PageStream stream, HttpServerResponse response) {
    if (open.size() >= MAX_STREAMS) {
      return false;
    }
    Pumped pumped = new Pumped(stream, new EventStream(response, nothing -> {}));
    open.add(pumped);
    response.closeHandler(gone -> pumped.close());
    pumped.start();
    return true;
  }

  void close() {
    List.copyOf(open).forEach(Pumped::close);
  }

  /** One that is under way. */
  private final class Pumped {
    private final PageStream stream;
    private final EventStream events;
    private final long timer;
    private long quietMs;

    Pumped(PageStream stream, EventStream events) {
      this.stream = stream;
      this.events = events;
      this.timer = vertx.setPeriodic(PACE_MS, id -> pump());
    }

    void start() {
      stream.start();
      events.open();
      events.send("heartbeat", "0");
    }

    private void pump() {
      if (!events.hasRoom()) {
        return;
      }
      quietMs += PACE_MS;
      for (PageStream.Event event : stream.poll()) {
        quietMs = 0;
        if (event.last()) {
          close();
          events.end(event.name(), event.data());
          return;
        }
        events.send(event.name(), event.data());
      }
      if (quietMs >= HEARTBEAT_MS) {
        quietMs = 0;
        events.send("heartbeat", "0");
      }
    }

    void close() {
      open.remove(this);
      vertx.cancelTimer(timer);
      stream.close();
    }
  }
}
