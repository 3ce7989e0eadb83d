package dev.waymark.cli.page;

import dev.waymark.cli.history.RunDetail;
import dev.waymark.cli.history.RunHistory;
import dev.waymark.cli.history.RunId;
import dev.waymark.cli.history.RunSummary;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells open pages what changes among the runs. A page that connects, for the first time or again,
 * gets all rows first ({@code runs}), then each row that changes ({@code run}); so nothing need be
 * remembered for a page that was away. Used on one event loop only.
 */
final class RunFeed {

  private static final Logger LOG = LoggerFactory.getLogger(RunFeed.class);

  /** More rows than anyone looks through; the files keep them. */
  private static final int MAX_ROWS = 200;

  private static final int MAX_STREAMS = 32;
  private static final long HEARTBEAT_MS = 10_000;

  /** How soon what other processes record is seen here. */
  private static final long LOOK_AROUND_MS = 2_000;

  /** The least time between two looks, however many reports come. */
  private static final long PAUSE_MS = 100;

  private final Vertx vertx;
  private final Context context;
  private final RunHistory history;
  private final RunHistory.Subscription subscription;

  /** Those that wait for an up-to-date look before they get anything. */
  private final Set<EventStream> opening = new LinkedHashSet<>();

  private final Set<EventStream> streams = new LinkedHashSet<>();
  private final long heartbeat;
  private final long lookAround;
  private Map<RunId, RunSummary> known = Map.of();
  private Future<?> look = Future.succeededFuture();
  private boolean looking;
  private boolean lookAgain;
  private boolean closed;

  /** Called on the context. */
  RunFeed(Vertx vertx, Context context, RunHistory history) {
    this.vertx = vertx;
    this.context = context;
    this.history = history;
    this.subscription = history.subscribe(this::refreshLater);
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
    EventStream stream = new EventStream(response, this::everything);
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
      look = vertx.executeBlocking(() -> newest(history.runs())).onComplete(this::looked);
    }
  }

  private void looked(AsyncResult<List<RunSummary>> runs) {
    if (closed) {
      return;
    }
    if (runs.succeeded()) {
      tell(runs.result());
    } else {
      LOG.warn("the page can't be brought up to date", runs.cause());
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

  private static List<RunSummary> newest(List<RunSummary> runs) {
    return runs.size() > MAX_ROWS ? List.copyOf(runs.subList(0, MAX_ROWS)) : runs;
  }

  private void tell(List<RunSummary> runs) {
    Map<RunId, RunSummary> before = known;
    known =
        runs.stream()
            .collect(
                Collectors.toMap(
                    RunSummary::id, Function.identity(), (a, b) -> a, LinkedHashMap::new));
    if (!known.keySet().containsAll(before.keySet())) {
      sendToAll("runs", everything());
      return;
    }
    known.forEach(
        (id, run) -> {
          if (!run.equals(before.get(id))) {
            sendToAll("run", RunJson.run(run, Instant.now()));
          }
        });
  }

  private String everything() {
    return RunJson.runs(List.copyOf(known.values()), Instant.now());
  }

  private void sendToAll(String event, String data) {
    for (EventStream stream : new ArrayList<>(streams)) {
      stream.send(event, data);
    }
  }

  private static String now() {
    return Long.toString(System.currentTimeMillis());
  }

  /**
   * Tells open pages how things stand at the end, with the newest run whole, since nobody will
   * answer a request for it any more; and that this is no outage.
   */
  Future<Void> close() {
    closed = true;
    subscription.close();
    vertx.cancelTimer(heartbeat);
    vertx.cancelTimer(lookAround);
    opening.forEach(EventStream::open);
    streams.addAll(opening);
    opening.clear();
    // Vert.x may be closed next, which a look that is under way would take badly.
    Future<?> looked = look.otherwiseEmpty();
    return streams.isEmpty() ? looked.mapEmpty() : looked.compose(done -> lastWord());
  }

  private Future<Void> lastWord() {
    return vertx
        .executeBlocking(
            () -> {
              List<RunSummary> runs = newest(history.runs());
              return new LastWord(
                  runs, runs.stream().findFirst().flatMap(r -> history.run(r.id())));
            })
        .recover(
            e ->
                Future.succeededFuture(new LastWord(List.copyOf(known.values()), Optional.empty())))
        .compose(this::sayLastWord);
  }

  private record LastWord(List<RunSummary> runs, Optional<RunDetail> newest) {}

  private Future<Void> sayLastWord(LastWord word) {
    tell(word.runs());
    String goodbye = word.newest().map(run -> RunJson.detail(run, Instant.now())).orElse("{}");
    return Future.join(streams.stream().map(stream -> stream.end("bye", goodbye)).toList())
        .otherwiseEmpty()
        .mapEmpty();
  }
}
