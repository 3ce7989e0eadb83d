package dev.waymark.cli.cluster;

import dev.waymark.client.Listing;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.Training;
import dev.waymark.trainer.api.TrainJob;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the TrainJobs that there are. */
@Command(
    name = "list",
    description = "Lists TrainJobs with their state and progress.",
    footer = "  waymark list -A --runtime djl-cuda")
final class ListCommand extends ClusterCommand {

  @Mixin private JobSelection selection;

  @Mixin private OutputOption output;

  @Override
  int run(TrainerClient client) {
    if (output.isTable()) {
      printTable(client);
    } else {
      Listing<TrainJob> found = client.list(selection.options(), Training::resource);
      tellSkipped(found);
      new ResourcePrinter(out(), output.format()).print(found.items());
    }
    return ExitCodes.DONE;
  }

  private void printTable(TrainerClient client) {
    boolean allNamespaces = selection.options().allNamespaces();
    TrainingTable table = new TrainingTable(allNamespaces, Instant.now());
    Listing<List<Object>> found = client.list(selection.options(), table::cells);
    tellSkipped(found);
    if (found.items().isEmpty()) {
      err()
          .println(
              "waymark: No TrainJobs in "
                  + (allNamespaces ? "any namespace" : "namespace " + client.namespace()));
      return;
    }
    table.of(found.items()).print(out());
  }
}
