package dev.waymark.benchmarks;

import com.fasterxml.jackson.annotation.JsonInclude;
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
import java.util.stream.Stream;

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
 * @param paired whether the cases ran alternately, so that each sample has one to be compared with
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
   * @param beside what each is compared with, the first case's sample beside it; null where that is
   *     the first case's sample of the same place
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Series(
      String name, String figure, String unit, List<Double> samples, List<Double> beside) {

    /** Samples that are compared with the first case's of the same place. */
    public Series(String name, String figure, String unit, List<Double> samples) {
      this(name, figure, unit, samples, null);
    }

    /** One sample; beside it one of the first case, or null. */
    static Series of(String name, String figure, String unit, double sample, Double beside) {
      return new Series(
          name, figure, unit, List.of(sample), beside == null ? null : List.of(beside));
    }

    /** These samples and then those of another series of the same figure and case. */
    Series and(Series later) {
      return new Series(
          name,
          figure,
          unit,
          joined(samples, later.samples),
          beside == null ? null : joined(beside, later.beside));
    }

    private static List<Double> joined(List<Double> first, List<Double> second) {
      return Stream.concat(first.stream(), second.stream()).toList();
    }
  }

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
