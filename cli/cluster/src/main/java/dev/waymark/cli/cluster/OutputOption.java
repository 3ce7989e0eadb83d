package dev.waymark.cli.cluster;

import dev.waymark.client.Training;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** How to print what a command has found. */
final class OutputOption {

  @Option(
      names = {"-o", "--output"},
      paramLabel = OutputFormat.LABEL,
      converter = OutputFormat.Converter.class,
      defaultValue = "table",
      description = "How to print it: table if nothing is said.")
  private OutputFormat format;

  private ResourcePrinter printer;

  OutputFormat format() {
    return format;
  }

  /** Whether people are to read it. */
  boolean isTable() {
    return format == OutputFormat.TABLE;
  }

  /**
   * Tells what has become of a TrainJob.
   *
   * @param sentence for people; programs get the TrainJob
   */
  void print(PrintWriter out, String sentence, Training training) {
    if (isTable()) {
      out.println(sentence);
      return;
    }
    if (printer == null) {
      printer = new ResourcePrinter(out, format);
    }
    printer.print(training.resource());
  }
}
