package dev.waymark.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs a JMH benchmark and writes every iteration's time and allocation to a result file. Forks
 * inherit the environment, so the reporter's variables are set in front of the command.
 */
public final class JmhResults {

  private JmhResults() {}

  /**
   * Arguments: result file, title, pattern of the benchmark, then any number of {@code
   * LABEL=JVM_ARGUMENT}: the benchmark is run once for each, in forks that have this argument.
   */
  public static void main(String[] args) throws RunnerException {
    List<ResultFile.Series> series = new ArrayList<>();
    for (String variant : args.length > 3 ? List.of(args).subList(3, args.length) : List.of("=")) {
      int equals = variant.indexOf('=');
      series.addAll(measure(args[2], variant.substring(0, equals), variant.substring(equals + 1)));
    }
    Path file = Path.of(args[0]);
    String name = file.getFileName().toString().replaceFirst("\\.json$", "");
    ResultFile.here(args[1], "benchmarks/run " + name, ResultFile.Statistic.MEDIAN, false, series)
        .write(file);
  }

  private static List<ResultFile.Series> measure(String benchmark, String label, String jvmArgument)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(benchmark)
            .forks(3)
            .warmupIterations(3)
            .warmupTime(TimeValue.seconds(2))
            .measurementIterations(5)
            .measurementTime(TimeValue.seconds(2))
            .addProfiler(GCProfiler.class);
    if (!jvmArgument.isEmpty()) {
      options.jvmArgsAppend(jvmArgument);
    }
    List<ResultFile.Series> series = new ArrayList<>();
    for (RunResult run : new Runner(options.build()).run()) {
      String method = run.getParams().getBenchmark().replaceFirst(".*\\.", "");
      String name = label.isEmpty() ? method : method + ", " + label;
      series.add(
          new ResultFile.Series(
              name, "time", "ns", samples(run, IterationResult::getPrimaryResult)));
      series.add(
          new ResultFile.Series(
              name,
              "allocation",
              "B",
              samples(
                  run, iteration -> iteration.getSecondaryResults().get(allocation(iteration)))));
    }
    return series;
  }

  private static String allocation(IterationResult iteration) {
    return iteration.getSecondaryResults().keySet().stream()
        .filter(label -> label.endsWith("gc.alloc.rate.norm"))
        .findFirst()
        .orElseThrow();
  }

  private static List<Double> samples(RunResult run, Function<IterationResult, Result<?>> figure) {
    return run.getBenchmarkResults().stream()
        .flatMap(fork -> fork.getIterationResults().stream())
        .map(iteration -> figure.apply(iteration).getScore())
        .toList();
  }
}
