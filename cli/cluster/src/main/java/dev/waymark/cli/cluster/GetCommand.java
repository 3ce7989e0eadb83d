package dev.waymark.cli.cluster;

import dev.waymark.client.TrainerClient;
import dev.waymark.client.Training;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows all that is known about TrainJobs. */
@Command(
    name = "get",
    description = "Shows a TrainJob: state, progress, metrics, pods and devices.",
    footer = "  waymark get iris -o yaml")
final class GetCommand extends ClusterCommand {

  @Parameters(paramLabel = "NAME", arity = "1..*", description = "Of a TrainJob.")
  private List<String> names;

  @Mixin private OutputOption output;

  @Override
  int run(TrainerClient client) {
    List<Training> trainings = new ArrayList<>();
    names.forEach(name -> trainings.add(client.get(name)));
    if (output.isTable()) {
      String separator = "";
      for (Training training : trainings) {
        out().print(separator);
        new TrainingDetail(training, Instant.now()).print(out());
        separator = System.lineSeparator();
      }
    } else if (trainings.size() == 1) {
      new ResourcePrinter(out(), output.format()).print(trainings.get(0).resource());
    } else {
      new ResourcePrinter(out(), output.format())
          .print(trainings.stream().map(Training::resource).toList());
    }
    return ExitCodes.DONE;
  }
}
