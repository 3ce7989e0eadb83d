package dev.waymark.cli.cluster;

import dev.waymark.client.LogOptions;
import dev.waymark.client.TrainerClient;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a TrainJob's programs print. */
@Command(
    name = "logs",
    description =
        "Prints the log of a TrainJob's step. Waits for its pod; following, goes on over connections"
            + " that are cut and pods that are made anew.",
    footer = "  waymark logs iris -f --all-nodes")
final class LogsCommand extends ClusterCommand {

  @Parameters(paramLabel = "NAME", description = "Of the TrainJob.")
  private String name;

  @Option(
      names = "--step",
      paramLabel = "STEP",
      defaultValue = "node-0",
      description = "node-0 (the first node, if nothing is said), dataset-initializer, ...")
  private String step;

  @Option(names = "--all-nodes", description = "Of all nodes, each line with the node's name.")
  private boolean allNodes;

  @Option(
      names = {"-f", "--follow"},
      description = "Go on until the step has ended.")
  private boolean follow;

  @Option(
      names = {"-p", "--previous"},
      description = "Of the container before the present one, which crashed.")
  private boolean previous;

  @Option(names = "--tail", paramLabel = "N", description = "Only the last N lines.")
  private Integer tail;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "How long to wait for a pod that doesn't run yet; 10m if nothing is said.")
  private Duration patience;

  @Override
  int run(TrainerClient client) throws InterruptedException {
    if (tail != null && tail < 0) {
      throw wrong("--tail must be 0 or more, not " + tail);
    }
    client.logs(
        name,
        new LogOptions(allNodes ? null : step, follow, previous, tail, patience),
        line -> {
          // As they are: who reads a log wants its colours.
          out().println(allNodes ? "[" + line.step() + "] " + line.text() : line.text());
          out().flush();
          ClosedOutput.check();
        });
    return ExitCodes.DONE;
  }
}
