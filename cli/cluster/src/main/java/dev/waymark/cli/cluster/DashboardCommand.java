package dev.waymark.cli.cluster;

import dev.waymark.cli.cluster.dashboard.Dashboard;
import dev.waymark.client.TrainerClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows TrainJobs on a page. */
@Command(
    name = "dashboard",
    description =
        "Serves a page of the TrainJobs on this machine, until Ctrl-C: progress, curves, pods,"
            + " events and logs, and suspends and resumes them. It acts with your own rights; whoever"
            + " has its link has them too.",
    footer = "  waymark dashboard --all-namespaces")
final class DashboardCommand extends ClusterCommand {

  private static final int LAST_PORT = 65_535;

  /** A page that waits for two minutes looks broken. */
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(15);

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port of the page on loopback; a free one by default.")
  private int port;

  @Mixin private JobSelection selection;

  @Override
  Duration callTimeout() {
    return CALL_TIMEOUT;
  }

  @Override
  int run(TrainerClient client) throws IOException, InterruptedException {
    if (port < 0 || port > LAST_PORT) {
      throw wrong("--port must be a port number between 0 and " + LAST_PORT + ", not " + port);
    }
    try (Dashboard dashboard = Dashboard.open(client, selection.options(), port)) {
      out().println("Page: " + dashboard.url());
      out().flush();
      // However this process is ended, open pages are told that it is no outage.
      Runtime.getRuntime().addShutdownHook(new Thread(dashboard::close, "waymark-dashboard-end"));
      new CountDownLatch(1).await();
    }
    return ExitCodes.DONE;
  }
}
