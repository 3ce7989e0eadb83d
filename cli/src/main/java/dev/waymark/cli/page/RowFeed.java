package dev.waymark.cli.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells open pages what changes among the rows. A page that connects, for the first time or again,
 * gets all rows first ({@code rows}), then each row that changes ({@code row}), or all of them once
 * more when many do at a time, which ones have gone ({@code gone}) and what stands beside them
 * ({@code head}); so nothing need be remembered for a page that was away. Used on one event loop
 * only.
 */
final class RowFeed {

  private static final Logger LOG = LoggerFactory.getLogger(RowFeed.class);

  private static final int MAX_STREAMS = 32;
  private static final long HEARTBEAT_MS = 10_000;

  /** Rows that are told one by one; thousands of messages would cost a page more than all rows. */
  private static final int MAX_SINGLE_ROWS = 100;

  /** How soon changes are seen that nobody tells. */
  private static final long LOOK_AROUND_MS = 2_000;

  /** The least time between two looks, however many changes come. */
  private static final long PAUSE_MS = 100;

  private final Vertx vertx;
  private final Context context;
  private final PageRows rows;
  private final Runnable unsubscribe;

  /** Those that wait for an up-to-date look before they get anything. */
  private final Set<EventStream> opening = new LinkedHashSet<>();

  private final Set<EventStream> streams = new LinkedHashSet<>();
  private final long heartbeat;
  private final long lookAround;
  private PageRows.Look known = new PageRows.Look(Map.of(), PageJson.object());
  private Future<?> look = Future.succeededFuture();
  private boolean looking;
  private boolean lookAgain;
  private boolean closed;

  /** Called on the context. */
  RowFeed(Vertx vertx, Context context, PageRows rows) {
    this.vertx = vertx;
    this.context = context;
    this.rows = rows;
    this.unsubscribe = rows.subscribe(this::refreshLater);
    this.heartbeat = vertx.setPeriodic(HEARTBEAT_MS, id -> sendToAll("heartbeat", now()));
    this.lookAround =
        vertx.setPeriodic(
            LOOK_AROUND_MS,
            id -> {
              if (!streams.isEmpty()) {
                refresh();
              }
            });
    refresh();
  }

  /** Serves events on this response until the page goes away; false when too many are open. */
  boolean add(HttpServerResponse response) {
    if (closed || streams.size() + opening.size() >= MAX_STREAMS) {
      return false;
    }
    EventStream stream = new EventStream(response, it -> it.send("rows", everything()));
    response.closeHandler(
        gone -> {
          opening.remove(stream);
          streams.remove(stream);
        });
    opening.add(stream);
    refresh();
    return true;
  }

  private void refreshLater() {
    context.runOnContext(v -> refresh());
  }

  private void refresh() {
    if (looking) {
      lookAgain = true;
    } else if (!closed) {
      looking = true;
      look = vertx.executeBlocking(rows::look).onComplete(this::looked);
    }
  }

  private void looked(AsyncResult<PageRows.Look> found) {
    if (closed) {
      return;
    }
    if (found.succeeded()) {
      tell(found.result());
    } else {
      LOG.warn("the page can't be brought up to date", found.cause());
    }
    opening.forEach(EventStream::open);
    streams.addAll(opening);
    opening.clear();
    vertx.setTimer(
        PAUSE_MS,
        id -> {
          looking = false;
          if (lookAgain) {
            lookAgain = false;
            refresh();
          }
        });
  }

  private void tell(PageRows.Look now) {
    PageRows.Look before = known;
    known = now;
    if (streams.isEmpty()) {
      return;
    }
    List<ObjectNode> changed =
        now.rows().entrySet().stream()
            .filter(it -> !it.getValue().equals(before.rows().get(it.getKey())))
            .map(Map.Entry::getValue)
            .toList();
    if (changed.size() > MAX_SINGLE_ROWS) {
      sendToAll("rows", everything());
      return;
    }
    if (!now.head().equals(before.head())) {
      sendToAll("head", document("head", now.head()));
    }
    List<String> gone =
        before.rows().keySet().stream().filter(id -> !now.rows().containsKey(id)).toList();
    if (!gone.isEmpty()) {
      ObjectNode document = PageJson.document(Instant.now());
      gone.forEach(document.putArray("ids")::add);
      sendToAll("gone", document.toString());
    }
    changed.forEach(row -> sendToAll("row", document("row", row)));
  }

  private String everything() {
    ObjectNode document = PageJson.document(Instant.now());
    document.set("head", known.head());
    document.putArray("rows").addAll(known.rows().values());
    return document.toString();
  }

  private static String document(String name, ObjectNode content) {
    ObjectNode document = PageJson.document(Instant.now());
    document.set(name, content);
    return document.toString();
  }

  private void sendToAll(String event, String data) {
    for (EventStream stream : new ArrayList<>(streams)) {
      stream.send(event, data);
    }
  }

  private static String now() {
    return Long.toString(System.currentTimeMillis());
  }

  /** Tells open pages how things stand at the end, and that this is no outage. */
  Future<Void> close() {
    closed = true;
    unsubscribe.run();
    vertx.cancelTimer(heartbeat);
    vertx.cancelTimer(lookAround);
    opening.forEach(EventStream::open);
    streams.addAll(opening);
    opening.clear();
    // Vert.x may be closed next, which a look that is under way would take badly.
    Future<?> looked = look.otherwiseEmpty();
    return streams.isEmpty() ? looked.mapEmpty() : looked.compose(done -> lastWord());
  }

  private record LastWord(PageRows.Look look, String word) {}

  private Future<Void> lastWord() {
    return vertx
        .executeBlocking(() -> new LastWord(rows.look(), rows.lastWord()))
        .recover(e -> Future.succeededFuture(new LastWord(known, "{}")))
        .compose(this::sayLastWord);
  }

  private Future<Void> sayLastWord(LastWord last) {
    tell(last.look());
    return Future.join(streams.stream().map(stream -> stream.end("bye", last.word())).toList())
        .otherwiseEmpty()
        .mapEmpty();
  }
}
