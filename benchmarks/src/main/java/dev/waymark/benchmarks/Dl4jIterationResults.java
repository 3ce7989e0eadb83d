package dev.waymark.benchmarks;

import dev.waymark.benchmarks.Dl4jIterations.Trained;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Stream;

/**
 * Runs the program that trains in each company, a process of each kind in each round, and writes
 * what they tell of their iterations.
 */
public final class Dl4jIterationResults {
  private static final Path TARGET = Path.of("benchmarks/target").toAbsolutePath();

  private static final List<String> AGENT =
      Stream.of(
              Path.of("agent/target/waymark-agent.jar").toAbsolutePath(),
              TARGET.resolve("waymark-benchmarks.jar"))
          .map(jar -> "-javaagent:" + jar)
          .toList();

  private final Map<List<String>, ResultFile.Series> series = new LinkedHashMap<>();

  private Dl4jIterationResults() {}

  /** Arguments: number of processes of each kind, result file. */
  public static void main(String[] args) {
    Dl4jIterationResults results = new Dl4jIterationResults();
    for (int round = 0; round < Integer.parseInt(args[0]); round++) {
      for (Trained trained : Trained.values()) {
        results.measure(trained, List.of());
        results.measure(trained, AGENT);
      }
    }
    ResultFile.here(
            "What an iteration of the smallest models of Deeplearning4j takes",
            "benchmarks/run dl4j-iterations",
            ResultFile.Statistic.MEDIAN,
            false,
            List.copyOf(results.series.values()))
        .write(Path.of(args[1]));
  }

  private void measure(Trained trained, List<String> options) {
    List<String> command = TimedProcess.java(options.toArray(new String[0]));
    command.addAll(
        List.of(
            "-XX:CompileThresholdScaling=0.1", // as compiled as a long training is
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", // a wrapper logs each fit
            "-cp",
            System.getProperty("java.class.path"),
            Dl4jIterations.class.getName(),
            trained.name()));
    TimedProcess process = TimedProcess.run(command, Map.of()).succeeded();
    Matcher lines = Dl4jIterations.LINE.matcher(process.output());
    while (lines.find()) {
      // Beside the agent an iteration has its hooks, though nothing is told.
      if (options.isEmpty() || !lines.group(1).equals(Dl4jIterations.ALONE)) {
        add(lines.group(1), trained.words, Double.parseDouble(lines.group(2)));
      }
      System.err.printf("%-30s %s%n", trained, lines.group());
    }
  }

  private void add(String name, String figure, double microseconds) {
    series.merge(
        List.of(name, figure),
        ResultFile.Series.of(name, figure, "us", microseconds, null),
        ResultFile.Series::and);
  }
}
