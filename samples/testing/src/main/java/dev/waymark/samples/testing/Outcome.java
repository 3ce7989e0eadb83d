package dev.waymark.samples.testing;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a program ended and what it printed. */
public final class Outcome {
  private final int exitCode;
  private final String output;
  private final String errors;

  Outcome(int exitCode, String output, String errors) {
    this.exitCode = exitCode;
    this.output = output;
    this.errors = errors;
  }

  public int exitCode() {
    return exitCode;
  }

  /** What it printed on standard output. */
  public String output() {
    return output;
  }

  /** What it printed on standard error. */
  public String errors() {
    return errors;
  }

  /**
   * The number behind a label at the beginning of a line, as in {@code Epochs: 20}.
   *
   * @throws AssertionError if nothing of the kind was printed
   */
  public double printed(String label) {
    Matcher line =
        Pattern.compile("^" + Pattern.quote(label) + ": (\\S+)", Pattern.MULTILINE).matcher(output);
    if (!line.find()) {
      throw new AssertionError("no '" + label + "' in\n" + output + errors);
    }
    return Double.parseDouble(line.group(1));
  }

  /**
   * What it printed from one line that begins with a label up to the next, as where several
   * programs share a process.
   *
   * @param value what stands behind the label in the line where the part begins
   * @throws AssertionError if there is no such line
   */
  public Outcome part(String label, String value) {
    String begin = label + ": " + value + "\n";
    if (!output.startsWith(begin) && !output.contains("\n" + begin)) {
      throw new AssertionError("no '" + begin.trim() + "' in\n" + output + errors);
    }
    String part = output.substring(("\n" + output).indexOf("\n" + begin) + begin.length());
    return new Outcome(exitCode, part.split("(?m)^" + Pattern.quote(label) + ": ", 2)[0], errors);
  }

  /** What it printed, without the line that tells how long it took. */
  public String result() {
    return output.replaceAll("(?m)^Trained in .*\\R", "");
  }

  @Override
  public String toString() {
    return "exit code " + exitCode + "\n" + output + errors;
  }
}
