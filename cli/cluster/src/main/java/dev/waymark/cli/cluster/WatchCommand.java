package dev.waymark.cli.cluster;

import dev.waymark.client.Listing;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainingState;
import dev.waymark.client.WaitOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
    if (names.isEmpty()) {
      watchAll(client, rows);
      return ExitCodes.DONE;
    }
    Map<String, TrainingState> states = new HashMap<>();
    names.forEach(name -> states.put(name, client.get(name).state())); // says which isn't there
    client.watchKeeping(
        selection.options(),
        TrainingRow::of,
        (Listing<TrainingRow> found) -> {
          List<TrainingRow> shown =
              found.items().stream().filter(it -> names.contains(it.name())).toList();
          rows.show(shown);
          shown.forEach(it -> states.put(it.name(), it.state()));
          sayWhichHasGone(client, states, shown);
          return states.values().stream().anyMatch(it -> !it.isFinal());
        });
    return states.containsValue(TrainingState.FAILED) ? ExitCodes.FAILED : ExitCodes.DONE;
  }

  private void watchAll(TrainerClient client, TrainingRows rows) throws InterruptedException {
    boolean allNamespaces = selection.options().allNamespaces();
    client.watchKeeping(
        selection.options(),
        training ->
            allNamespaces ? TrainingRow.of(training).amongNamespaces() : TrainingRow.of(training),
        (Listing<TrainingRow> found) -> {
          rows.show(found.items());
          return true;
        });
  }

  /** One that was deleted before its end will have none; one that has ended may go. */
  private static void sayWhichHasGone(
      TrainerClient client, Map<String, TrainingState> states, List<TrainingRow> shown) {
    Set<String> there = shown.stream().map(TrainingRow::name).collect(Collectors.toSet());
    states.forEach(
        (name, state) -> {
          if (!there.contains(name) && !state.isFinal()) {
            client.get(name);
          }
        });
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
