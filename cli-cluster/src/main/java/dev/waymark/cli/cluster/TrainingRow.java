package dev.waymark.cli.cluster;

import dev.waymark.cli.terminal.StatusText;
import dev.waymark.cli.text.PrintableText;
import dev.waymark.client.Training;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.StringJoiner;

/** A TrainJob in one line: its name, a bar where there is a percent, and what is known besides. */
final class TrainingRow {

  private static final int BAR = 20;
  private static final int LONGEST = 400;

  private final Training training;

  TrainingRow(Training training) {
    this.training = training;
  }

  /** For a terminal. */
  String drawn(int nameWidth, int columns, Charset charset) {
    String name = training.name();
    Integer percent =
        training.trainerStatus().map(status -> status.progressPercentage()).orElse(null);
    String bar = percent == null ? " ".repeat(BAR + 2) : bar(percent, charset);
    String row =
        name + " ".repeat(Math.max(0, nameWidth - name.length())) + "  " + bar + "  " + said();
    // A character in the last column would make some terminals wrap.
    return row.length() < columns ? row : row.substring(0, Math.max(0, columns - 1));
  }

  /** For an output that is no terminal. */
  String plain() {
    return training.name() + ": " + said();
  }

  private String said() {
    Optional<StatusText> text = training.trainerStatus().map(StatusText::new);
    StringJoiner said = new StringJoiner(", ");
    said.add(training.state().label());
    text.map(StatusText::line).filter(line -> !line.isEmpty()).ifPresent(said::add);
    if (!training.reason().isEmpty()) {
      said.add(training.reason());
    }
    return PrintableText.of(said.toString(), LONGEST);
  }

  private static String bar(int percent, Charset charset) {
    boolean hasBlocks = charset.canEncode() && charset.newEncoder().canEncode('█');
    int full = Math.min(BAR, Math.max(0, percent * BAR / 100));
    return "[" + (hasBlocks ? "█" : "#").repeat(full) + " ".repeat(BAR - full) + "]";
  }
}
