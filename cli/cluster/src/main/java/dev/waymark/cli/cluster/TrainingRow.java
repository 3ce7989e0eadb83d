package dev.waymark.cli.cluster;

import dev.waymark.cli.terminal.StatusText;
import dev.waymark.cli.terminal.TextWidth;
import dev.waymark.cli.text.PrintableText;
import dev.waymark.client.Training;
import dev.waymark.client.TrainingState;
import dev.waymark.trainer.api.TrainerStatus;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * A TrainJob in one line: its name, a bar where there is a percent, and what is known besides. Of
 * the TrainJob itself nothing else is kept.
 *
 * @param percent null where none is known
 * @param said state, progress and reason, fit for a terminal
 */
record TrainingRow(
    String namespace, String name, TrainingState state, Integer percent, String said) {

  private static final int BAR = 20;
  private static final int LONGEST = 400;

  /** What is said comes first: where it has less room than that there is no bar. */
  private static final int LEAST_SAID = 20;

  static TrainingRow of(Training training) {
    Optional<TrainerStatus> status = training.trainerStatus();
    StringJoiner said = new StringJoiner(", ");
    said.add(training.state().label());
    status
        .map(it -> new StatusText(it).line())
        .filter(line -> !line.isEmpty())
        .ifPresent(said::add);
    if (!training.reason().isEmpty()) {
      said.add(training.reason());
    }
    return new TrainingRow(
        training.namespace(),
        training.name(),
        training.state(),
        status.map(TrainerStatus::progressPercentage).orElse(null),
        PrintableText.of(said.toString(), LONGEST));
  }

  /** The same where there are others of its name: with its namespace. */
  TrainingRow amongNamespaces() {
    return new TrainingRow(namespace, namespace + "/" + name, state, percent, said);
  }

  /** For a terminal. */
  String drawn(int nameWidth, int columns, Charset charset) {
    String bar = percent == null ? " ".repeat(BAR + 2) : bar(percent, charset);
    boolean hasRoom = nameWidth + BAR + 6 + LEAST_SAID < columns;
    String row =
        name
            + " ".repeat(Math.max(0, nameWidth - name.length()))
            + "  "
            + (hasRoom ? bar + "  " : "")
            + said;
    // A character in the last column would make some terminals wrap.
    return TextWidth.cut(row, Math.max(0, columns - 1));
  }

  /** For an output that is no terminal. */
  String plain() {
    return name + ": " + said;
  }

  private static String bar(int percent, Charset charset) {
    boolean hasBlocks = charset.canEncode() && charset.newEncoder().canEncode('█');
    int full = Math.min(BAR, Math.max(0, percent * BAR / 100));
    return "[" + (hasBlocks ? "█" : "#").repeat(full) + " ".repeat(BAR - full) + "]";
  }
}
