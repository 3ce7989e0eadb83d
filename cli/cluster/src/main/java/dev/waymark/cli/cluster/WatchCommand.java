package dev.waymark.cli.cluster;

import dev.waymark.client.Listing;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainingState;
import dev.waymark.client.WaitOptions;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows TrainJobs as they go on. */
@Command(
    name = "watch",
    description =
        "Shows the progress of TrainJobs as it changes: until those that are named have ended, or"
            + " all of them until Ctrl-C.",
    footer = "  waymark watch iris mnist")
final class WatchCommand extends ClusterCommand {

  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  @Parameters(paramLabel = "NAME", arity = "0..*", description = "Of a TrainJob.")
  private List<String> names = List.of();

  @Mixin private JobSelection selection;

  @Override
  int run(TrainerClient client) throws InterruptedException {
    if (!names.isEmpty() && selection.isGiven()) {
      throw wrong("Either names, or -A, --runtime and -l, not both");
    }
    TrainingRows rows = TrainingRows.open(out());
    if (names.size() == 1) {
      watchOne(client, names.get(0), rows);
      return ExitCodes.DONE;
    }
    names.forEach(client::get); // says which isn't there
    boolean[] hasFailed = new boolean[1];
    client.watchKeeping(
        selection.options(),
        TrainingRow::of,
        (Listing<TrainingRow> found) -> {
          List<TrainingRow> shown =
              found.items().stream()
                  .filter(it -> names.isEmpty() || names.contains(it.name()))
                  .toList();
          rows.show(shown);
          hasFailed[0] = shown.stream().anyMatch(it -> it.state() == TrainingState.FAILED);
          return names.isEmpty() || shown.stream().anyMatch(it -> !it.state().isFinal());
        });
    return hasFailed[0] ? ExitCodes.FAILED : ExitCodes.DONE;
  }

  /** Until its end; one that fails is told as such. */
  static void watchOne(TrainerClient client, String name, TrainingRows rows)
      throws InterruptedException {
    client.await(
        name,
        new WaitOptions(
            WaitOptions.untilComplete().states(),
            FOR_EVER,
            it -> rows.show(List.of(TrainingRow.of(it)))));
  }
}
