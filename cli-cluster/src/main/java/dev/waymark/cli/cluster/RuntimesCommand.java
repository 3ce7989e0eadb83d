package dev.waymark.cli.cluster;

import dev.waymark.client.Listing;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainerRuntime;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows what a TrainJob can run in. */
@Command(
    name = "runtimes",
    description = "Lists the runtimes that a TrainJob can use, and says why others can't be used.",
    footer = "  waymark runtimes")
final class RuntimesCommand extends ClusterCommand {

  @Option(
      names = {"-o", "--output"},
      paramLabel = OutputFormat.LABEL,
      converter = OutputFormat.Converter.class,
      defaultValue = "table",
      description = "How to print them.")
  private OutputFormat output;

  @Override
  int run(TrainerClient client) {
    Listing<TrainerRuntime> found = client.runtimes();
    tellSkipped(found);
    if (output == OutputFormat.TABLE) {
      Table table = new Table("NAME", "KIND", "FRAMEWORK", "NODES", "DEVICE", "IMAGE");
      found
          .items()
          .forEach(
              runtime ->
                  table.row(
                      runtime.name(),
                      runtime.kind().kind(),
                      runtime.framework(),
                      runtime.numNodes(),
                      runtime.device().isKnown() ? runtime.device() : "",
                      runtime.image()));
      table.print(out());
    } else {
      new ResourcePrinter(out(), output)
          .print(found.items().stream().map(TrainerRuntime::resource).toList());
    }
    return ExitCodes.DONE;
  }
}
