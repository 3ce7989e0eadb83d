package dev.waymark.cli.cluster.dashboard;

import dev.waymark.client.ListOptions;
import dev.waymark.client.Listing;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainerException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a {@link Board} up to date until it is closed. Whatever goes wrong is told on the board,
 * and tried again: credentials are renewed, rights are given, clusters come back.
 */
final class ClusterWatch implements AutoCloseable {

  /** After what no waiting within a watch has mended. */
  private static final long PAUSE_SECONDS = 5;

  private final TrainerClient client;
  private final ListOptions options;
  private final Board board;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "waymark-dashboard-watch");

  private ClusterWatch(TrainerClient client, ListOptions options, Board board) {
    this.client = client;
    this.options = options;
    this.board = board;
  }

  static ClusterWatch start(TrainerClient client, ListOptions options, Board board) {
    ClusterWatch watch = new ClusterWatch(client, options, board);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void run() {
    try {
      do {
        watch();
      } while (!closed.await(PAUSE_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException end) {
      // That is how it is closed.
    }
  }

  private void watch() throws InterruptedException {
    try {
      client.watchKeeping(
          options,
          BoardJob::of,
          (Listing<BoardJob> found) -> {
            board.show(found);
            return closed.getCount() > 0;
          },
          away -> tell(away.getMessage()));
    } catch (TrainerException e) {
      tell(e.getMessage());
    } catch (RuntimeException defect) {
      tell("Waymark itself failed: " + defect);
    }
  }

  /** Unless it is only that this is closed. */
  private void tell(String failure) {
    if (closed.getCount() > 0) {
      board.away(failure);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }
}
