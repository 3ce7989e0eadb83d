package dev.waymark.benchmarks;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * What one benchmark measured, as it lies under benchmarks/results: where, when, by which command,
 * and every raw sample. The first case is the one that others are compared with.
 *
 * @param title what was measured, one line
 * @param commit the commit that was measured
 * @param jdk version of the JVM
 * @param machine processors and memory
 * @param date day of the run, UTC
 * @param command what makes this file again
 * @param statistic what the tables tell of the samples
 * @param paired whether the cases ran alternately, so that sample i of each belongs together
 * @param series the samples
 */
@JsonPropertyOrder({
  "title",
  "commit",
  "jdk",
  "machine",
  "date",
  "command",
  "statistic",
  "paired",
  "series"
})
public record ResultFile(
    String title,
    String commit,
    String jdk,
    String machine,
    String date,
    String command,
    Statistic statistic,
    boolean paired,
    List<Series> series) {

  /** Medians for what a busy machine disturbs, means for what is a mean by its definition. */
  public enum Statistic {
    MEDIAN,
    MEAN
  }

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * The samples of one figure of one case.
   *
   * @param name the case, for example "agent, endpoint hangs"
   * @param figure what is measured
   * @param unit its unit, for example "ns" or "s"
   * @param samples in the order in which they were taken, never empty
   */
  public record Series(String name, String figure, String unit, List<Double> samples) {}

  /** A file about this checkout, this JVM and this machine, today. */
  public static ResultFile here(
      String title, String command, Statistic statistic, boolean paired, List<Series> series) {
    return new ResultFile(
        title,
        head(),
        System.getProperty("java.version"),
        String.format(
            Locale.ROOT,
            "%d processors, %s %s",
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch")),
        Instant.now().truncatedTo(ChronoUnit.DAYS).toString().substring(0, 10),
        command,
        statistic,
        paired,
        series);
  }

  /** Reads a file of benchmarks/results. */
  public static ResultFile read(Path file) {
    try {
      return JSON.readValue(file.toFile(), ResultFile.class);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " is no result file", e);
    }
  }

  /** Writes this file. */
  public void write(Path file) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, JSON.writeValueAsString(this) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  private static String head() {
    try {
      Process git = new ProcessBuilder("git", "rev-parse", "--short=12", "HEAD").start();
      return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
