package dev.waymark.cli.cluster;

import dev.waymark.client.Listing;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.Training;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the TrainJobs that there are. */
@Command(
    name = "list",
    description = "Lists TrainJobs with their state and progress.",
    footer = "  waymark list -A --runtime djl-cuda")
final class ListCommand extends ClusterCommand {

  @Mixin private JobSelection selection;

  @Option(
      names = {"-o", "--output"},
      paramLabel = OutputFormat.LABEL,
      converter = OutputFormat.Converter.class,
      defaultValue = "table",
      description = "How to print them.")
  private OutputFormat output;

  @Override
  int run(TrainerClient client) {
    Listing<Training> found = client.list(selection.options());
    tellSkipped(found);
    if (output == OutputFormat.TABLE) {
      printTable(found.items(), client.namespace());
    } else {
      new ResourcePrinter(out(), output)
          .print(found.items().stream().map(Training::resource).toList());
    }
    return ExitCodes.DONE;
  }

  private void printTable(List<Training> trainings, String namespace) {
    boolean allNamespaces = selection.options().allNamespaces();
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
