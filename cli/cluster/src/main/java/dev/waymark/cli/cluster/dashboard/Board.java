package dev.waymark.cli.cluster.dashboard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.cli.page.PageJson;
import dev.waymark.cli.page.PageRows;
import dev.waymark.client.Listing;
import dev.waymark.client.Skipped;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The TrainJobs of a cluster as they were last read, for the pages that are open. Safe for every
 * thread.
 */
final class Board implements PageRows {

  /** More than anyone looks through. Those that go on come first, then the newest. */
  static final int MAX_JOBS = 5_000;

  private static final int MAX_SKIPPED = 50;

  private static final Comparator<BoardJob> WORTH_SHOWING =
      Comparator.comparing(BoardJob::isFinal)
          .thenComparing(BoardJob::created, Comparator.reverseOrder());

  private final String title;
  private final InstantSource clock;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final ReportHistory history = new ReportHistory();
  private Map<String, BoardJob> jobs = Map.of();
  private Look look;
  private List<Skipped> skipped = List.of();
  private int leftOut;

  /** Null while the cluster answers. */
  private Away away;

  /** Why, and since when, the cluster can't be asked. */
  private record Away(Instant since, String message) {}

  /**
   * An empty board.
   *
   * @param title of the cluster, for people
   */
  Board(String title, InstantSource clock) {
    this.title = title;
    this.clock = clock;
    this.look = new Look(Map.of(), head());
  }

  /** They are so now, in place of those before; the cluster answers. */
  void show(Listing<BoardJob> found) {
    Instant now = clock.instant();
    Map<String, BoardJob> shown = new LinkedHashMap<>();
    Map<String, ObjectNode> rows = new LinkedHashMap<>();
    found.items().stream()
        .sorted(WORTH_SHOWING)
        .limit(MAX_JOBS)
        .forEach(
            it -> {
              shown.put(it.id(), it);
              rows.put(it.id(), it.row());
            });
    synchronized (this) {
      history.record(found.items(), now);
      jobs = shown;
      skipped = found.skipped();
      leftOut = found.items().size() - shown.size();
      away = null;
      look = new Look(rows, head());
    }
    tell();
  }

  /** The cluster can't be asked for now, and what is shown is as it was. */
  void away(String message) {
    synchronized (this) {
      away = new Away(away == null ? clock.instant() : away.since(), message);
      look = new Look(look.rows(), head());
    }
    tell();
  }

  private ObjectNode head() {
    ObjectNode head = PageJson.object();
    head.put("cluster", PageJson.text(title));
    head.put("more", leftOut);
    if (away == null) {
      head.putNull("away");
    } else {
      head.putObject("away")
          .put("since", away.since().toEpochMilli())
          .put("message", PageJson.text(away.message()));
    }
    skipped.stream()
        .limit(MAX_SKIPPED)
        .map(it -> PageJson.text(it.toString()))
        .forEach(head.putArray("skipped")::add);
    return head;
  }

  private void tell() {
    listeners.forEach(Runnable::run);
  }

  @Override
  public synchronized Look look() {
    return look;
  }

  @Override
  public Runnable subscribe(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** One of those that are shown. */
  synchronized Optional<BoardJob> job(String id) {
    return Optional.ofNullable(jobs.get(id));
  }

  /** All that is known of one of those that are shown. */
  synchronized Optional<String> detail(String id) {
    Instant now = clock.instant();
    return job(id).map(it -> JobJson.detail(it, history.curves(it, now), now));
  }
}
