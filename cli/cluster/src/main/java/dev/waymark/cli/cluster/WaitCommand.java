package dev.waymark.cli.cluster;

import dev.waymark.client.TrainerClient;
import dev.waymark.client.Training;
import dev.waymark.client.TrainingState;
import dev.waymark.client.WaitOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Waits until TrainJobs have come somewhere. */
@Command(
    name = "wait",
    description =
        "Waits until a TrainJob is complete, or in another state. Ends at once when that can't come"
            + " any more.",
    footer = "  waymark wait iris --timeout 2h && echo trained")
final class WaitCommand extends ClusterCommand {

  @Parameters(paramLabel = "NAME", arity = "1..*", description = "Of a TrainJob.")
  private List<String> names;

  @Option(
      names = "--for",
      paramLabel = "STATE",
      converter = StateConverter.class,
      split = ",",
      defaultValue = "complete",
      description =
          "created, suspended, pending, running, complete or failed; several with commas.")
  private List<TrainingState> states;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "For all of them together; 10m if nothing is said.")
  private Duration timeout;

  @Mixin private OutputOption output;

  @Override
  int run(TrainerClient client) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    Set<TrainingState> wanted = new TreeSet<>(states);
    for (String name : names) {
      Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      Training reached = client.await(name, new WaitOptions(wanted, left, training -> {}));
      output.print(out(), "TrainJob " + name + " is " + reached.state(), reached);
    }
    return ExitCodes.DONE;
  }

  static final class StateConverter implements ITypeConverter<TrainingState> {
    @Override
    public TrainingState convert(String text) {
      return Arrays.stream(TrainingState.values())
          .filter(it -> it.label().toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT)))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "\"" + text + "\" is none of " + Arrays.toString(TrainingState.values())));
    }
  }
}
