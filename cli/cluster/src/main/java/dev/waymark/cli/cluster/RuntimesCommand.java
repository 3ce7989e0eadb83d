package dev.waymark.cli.cluster;

import dev.waymark.client.Listing;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainerRuntime;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what a TrainJob can run in. */
@Command(
    name = "runtimes",
    description = "Lists the runtimes that a TrainJob can use, and says why others can't be used.",
    footer = "  waymark runtimes")
final class RuntimesCommand extends ClusterCommand {

  private static final Duration LIMIT = Duration.ofMinutes(10);

  @Option(
      names = "--describe",
      paramLabel = "NAME",
      description =
          "Start a pod in this one for a moment, and print its Java, its Python and packages, and"
              + " the accelerators that it sees.")
  private String described;

  @Mixin private OutputOption output;

  @Override
  int run(TrainerClient client) throws InterruptedException {
    if (described != null) {
      OrderlyEnd end = OrderlyEnd.ofThisThread();
      try (end) {
        client.describeRuntime(described, LIMIT).forEach(out()::println);
      }
      return ExitCodes.DONE;
    }
    Listing<TrainerRuntime> found = client.runtimes();
    tellSkipped(found);
    if (output.isTable()) {
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
      new ResourcePrinter(out(), output.format())
          .print(found.items().stream().map(TrainerRuntime::resource).toList());
    }
    return ExitCodes.DONE;
  }
}
