package dev.waymark.cli.cluster;

import dev.waymark.client.DeleteOptions;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainerException;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Takes TrainJobs away. */
@Command(
    name = "delete",
    description = "Deletes a TrainJob with its pods, and waits until it has gone.",
    footer = "  waymark delete iris")
final class DeleteCommand extends ClusterCommand {

  @Parameters(paramLabel = "NAME", arity = "1..*", description = "Of a TrainJob.")
  private List<String> names;

  @Option(
      names = "--cascade",
      paramLabel = "background|foreground|orphan",
      converter = CascadeConverter.class,
      defaultValue = "background",
      description = "What becomes of its JobSet and pods: they go after it, before it, or stay.")
  private DeletionPropagation cascade;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "1m",
      description = "How long to wait until it has gone; 0: not at all.")
  private Duration patience;

  @Option(names = "--ignore-not-found", description = "One that isn't there is no error.")
  private boolean ignoreNotFound;

  @Override
  int run(TrainerClient client) throws InterruptedException {
    for (String name : names) {
      if (!isThere(client, name)) {
        out().println("TrainJob " + name + " is not there");
        continue;
      }
      client.delete(name, DeleteOptions.standard().with(cascade).waiting(patience));
      out().println("TrainJob " + name + " is deleted");
    }
    return ExitCodes.DONE;
  }

  /** Throws where it isn't, unless that is no error. */
  private boolean isThere(TrainerClient client, String name) {
    try {
      client.progress(name);
      return true;
    } catch (TrainerException.NotFound e) {
      if (ignoreNotFound) {
        return false;
      }
      throw e;
    }
  }

  static final class CascadeConverter implements ITypeConverter<DeletionPropagation> {
    @Override
    public DeletionPropagation convert(String text) {
      try {
        return DeletionPropagation.valueOf(text.toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "\"" + text + "\" is none of background, foreground, orphan");
      }
    }
  }
}
