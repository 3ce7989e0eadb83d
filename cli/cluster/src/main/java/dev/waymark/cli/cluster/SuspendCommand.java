package dev.waymark.cli.cluster;

import dev.waymark.client.TrainerClient;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Takes TrainJobs' pods away. */
@Command(
    name = "suspend",
    description =
        "Suspends a TrainJob: its pods go, and it stays. What the program hasn't saved is lost.",
    footer = "  waymark suspend iris")
final class SuspendCommand extends ClusterCommand {

  @Parameters(paramLabel = "NAME", arity = "1..*", description = "Of a TrainJob.")
  private List<String> names;

  @Mixin private OutputOption output;

  @Override
  int run(TrainerClient client) {
    for (String name : names) {
      output.print(out(), "TrainJob " + name + " is suspended", client.suspend(name));
    }
    return ExitCodes.DONE;
  }
}
