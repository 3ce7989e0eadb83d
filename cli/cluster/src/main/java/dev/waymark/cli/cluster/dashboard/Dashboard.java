package dev.waymark.cli.cluster.dashboard;

import dev.waymark.cli.page.PageServer;
import dev.waymark.client.ListOptions;
import dev.waymark.client.TrainerClient;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;

/**
 * Serves a page of a cluster's TrainJobs on this machine, with the rights of whom a client stands
 * for, until it is closed.
 */
public final class Dashboard implements AutoCloseable {

  private final ClusterWatch watch;
  private final DashboardPage page;
  private final PageServer server;

  private Dashboard(ClusterWatch watch, DashboardPage page, PageServer server) {
    this.watch = watch;
    this.page = page;
    this.server = server;
  }

  /**
   * Asks the cluster once, and serves.
   *
   * @param client stays open until the dashboard is closed
   * @param port 1 to 65535, or 0 for a free one
   * @throws dev.waymark.client.TrainerException if the cluster can't be asked
   * @throws IOException if the port can't be had; its message is for the user
   */
  public static Dashboard open(TrainerClient client, ListOptions options, int port)
      throws IOException {
    Board board = new Board(title(client, options), Instant::now);
    ListOptions listed = options.withoutRuntimes();
    board.show(client.list(listed, BoardJob::of));
    DashboardPage page = new DashboardPage(client, board);
    PageServer server = PageServer.start(page, port);
    return new Dashboard(ClusterWatch.start(client, listed, board), page, server);
  }

  private static String title(TrainerClient client, ListOptions options) {
    return client.clusterName() + (options.allNamespaces() ? "" : " / " + client.namespace());
  }

  /** Where the page is, with the secret that opens it. */
  public URI url() {
    return server.url();
  }

  /** Tells open pages that this is the end. */
  @Override
  public void close() {
    watch.close();
    server.close();
    page.close();
  }
}
