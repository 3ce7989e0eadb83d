package dev.waymark.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
 * Runs a JMH benchmark and writes every iteration's time and allocation to a result file. Forks inherit
 * the environment, so the reporter's variables are set in front of the command.
 */
public final class JmhResults {

  private JmhResults() {}

  /** Arguments: result file, title, pattern of the benchmark, then JVM arguments of the forks. */
  public static void main(String[] args) throws RunnerException {
    List<String> jvmArgs = List.of(args).subList(3, args.length);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(args[2])
            .forks(3)
            .warmupIterations(3)
            .warmupTime(TimeValue.seconds(2))
            .measurementIterations(5)
            .measurementTime(TimeValue.seconds(2))
            .jvmArgsAppend(jvmArgs.toArray(new String[0]))
            .addProfiler(GCProfiler.class);
    Collection<RunResult> runs = new Runner(options.build()).run();
    List<ResultFile.Series> series = new ArrayList<>();
    for (RunResult run : runs) {
      String name = run.getParams().getBenchmark().replaceFirst(".*\\.", "");
      series.add(
          new ResultFile.Series(
              name, "time", "ns", samples(run, IterationResult::getPrimaryResult)));
      series.add(
          new ResultFile.Series(
              name,
              "allocation",
              "B",
              samples(run, iteration -> iteration.getSecondaryResults().get(allocation(iteration)))));
    }
    ResultFile.here(args[1], command(args), false, series).write(Path.of(args[0]));
  }

  private static String allocation(IterationResult iteration) {
    return iteration.getSecondaryResults().keySet().stream()
        .filter(label -> label.endsWith("gc.alloc.rate.norm"))
        .findFirst()
        .orElseThrow();
  }

  private static List<Double> samples(
      RunResult run, java.util.function.Function<IterationResult, Result<?>> figure) {
    return run.getBenchmarkResults().stream()
        .flatMap(fork -> fork.getIterationResults().stream())
        .map(iteration -> figure.apply(iteration).getScore())
        .toList();
  }

  private static String command(String[] args) {
    return "benchmarks/run " + args[0].replaceFirst(".*/", "").replaceFirst("\\.json$", "");
  }
}
