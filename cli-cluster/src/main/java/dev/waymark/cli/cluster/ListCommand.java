package dev.waymark.cli.cluster;

import dev.waymark.client.ListOptions;
import dev.waymark.client.Listing;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.Training;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the TrainJobs that there are. */
@Command(
    name = "list",
    description = "Lists TrainJobs with their state and progress.",
    footer = "  waymark list -A --runtime djl-cuda")
final class ListCommand extends ClusterCommand {

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Of all namespaces.")
  private boolean allNamespaces;

  @Option(names = "--runtime", paramLabel = "NAME", description = "Only those of this runtime.")
  private String runtime;

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "LABELS",
      description = "Only those with these labels: team=a,!test")
  private String selector;

  @Option(
      names = {"-o", "--output"},
      paramLabel = OutputFormat.LABEL,
      converter = OutputFormat.Converter.class,
      defaultValue = "table",
      description = "How to print them.")
  private OutputFormat output;

  @Override
  int run(TrainerClient client) {
    Listing<Training> found = client.list(new ListOptions(allNamespaces, runtime, selector));
    found.skipped().forEach(it -> err().println("waymark: Left out: " + it));
    if (output == OutputFormat.TABLE) {
      printTable(found.items(), client.namespace());
    } else {
      new ResourcePrinter(out(), output)
          .print(found.items().stream().map(Training::resource).toList());
    }
    return ExitCodes.DONE;
  }

  private void printTable(List<Training> trainings, String namespace) {
    if (trainings.isEmpty()) {
      err()
          .println(
              "waymark: No TrainJobs in "
                  + (allNamespaces ? "any namespace" : "namespace " + namespace));
      return;
    }
    new TrainingTable(allNamespaces, Instant.now()).of(trainings).print(out());
  }
}
