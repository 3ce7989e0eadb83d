package dev.waymark.cli.cluster;

import dev.waymark.client.TrainerClient;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Gives TrainJobs their pods back. */
@Command(
    name = "resume",
    description = "Resumes a suspended TrainJob: it gets new pods.",
    footer = "  waymark resume iris")
final class ResumeCommand extends ClusterCommand {

  @Parameters(paramLabel = "NAME", arity = "1..*", description = "Of a TrainJob.")
  private List<String> names;

  @Mixin private OutputOption output;

  @Override
  int run(TrainerClient client) {
    for (String name : names) {
      output.print(out(), "TrainJob " + name + " is resumed", client.resume(name));
    }
    return ExitCodes.DONE;
  }
}
