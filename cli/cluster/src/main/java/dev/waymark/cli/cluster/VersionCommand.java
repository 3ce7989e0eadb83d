package dev.waymark.cli.cluster;

import dev.waymark.client.ClusterVersion;
import dev.waymark.client.TrainerClient;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says which versions are at work. */
@Command(
    name = "version",
    description = "Prints the versions of this command and of what runs in the cluster.",
    footer = "  waymark version")
final class VersionCommand extends ClusterCommand {

  @Mixin private OutputOption output;

  @Override
  int run(TrainerClient client) {
    if (output.format() == OutputFormat.NAME) {
      throw wrong("Versions have no names: -o json or -o yaml");
    } else if (!output.isTable()) {
      new ResourcePrinter(out(), output.format()).printText(fields(client.version()));
      return ExitCodes.DONE;
    }
    out().println(own());
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

  private String own() {
    return spec().root().version()[0];
  }

  private Map<String, Object> fields(ClusterVersion cluster) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("command", own());
    fields.put("kubernetes", cluster.kubernetes());
    fields.put("trainer", cluster.trainer());
    fields.put("controller", cluster.waymark());
    fields.put("progress", word(cluster));
    fields.put("evidence", cluster.evidence());
    return fields;
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
