package dev.waymark.cli.cluster;

import dev.waymark.client.ClusterVersion;
import dev.waymark.client.TrainerClient;
import picocli.CommandLine.Command;

/** Says which versions are at work. */
@Command(
    name = "version",
    description = "Prints the versions of this command and of what runs in the cluster.",
    footer = "  waymark version")
final class VersionCommand extends ClusterCommand {

  @Override
  int run(TrainerClient client) {
    out().println(spec().root().version()[0]);
    out().flush(); // before the cluster is asked, which may take its time
    ClusterVersion cluster = client.version();
    out().println("Kubernetes " + cluster.kubernetes());
    out()
        .println(
            "Kubeflow Trainer API " + or(cluster.trainer(), "of a controller that doesn't say"));
    out().println("Waymark's controller " + or(cluster.waymark(), "not seen"));
    out().println("Progress reports " + word(cluster) + ": " + cluster.evidence());
    return ExitCodes.DONE;
  }

  private static String or(String text, String other) {
    return text.isEmpty() ? other : text;
  }

  private static String word(ClusterVersion cluster) {
    return switch (cluster.progress()) {
      case ON -> "on";
      case OFF -> "off";
      case UNKNOWN -> "unknown";
    };
  }
}
