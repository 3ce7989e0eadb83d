package dev.waymark.benchmarks;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
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
 * Runs JMH benchmarks and writes every iteration's time and allocation to a result file. Forks
 * inherit the environment, so the reporter's variables are set in front of the command.
 *
 * <p>The cases take turns, a fork at a time, so that a slow minute of the machine hits all of them.
 */
public final class JmhResults {
  private static final int FORKS = 3;

  private final Map<List<String>, ResultFile.Series> series = new LinkedHashMap<>();

  private JmhResults() {}

  /**
   * Arguments: result file, title, then any number of cases. A case is {@code BENCHMARK}, the name
   * of its class, or {@code BENCHMARK:LABEL=JVM_ARGUMENT}, which runs it in forks that have this
   * argument.
   */
  public static void main(String[] args) throws RunnerException {
    List<Case> cases = Stream.of(args).skip(2).map(Case::parse).toList();
    JmhResults results = new JmhResults();
    for (int fork = 0; fork < FORKS; fork++) {
      for (Case one : cases) {
        results.measure(one);
      }
    }
    Path file = Path.of(args[0]);
    String name = file.getFileName().toString().replaceFirst("\\.json$", "");
    ResultFile.here(
            args[1],
            "benchmarks/run " + name,
            ResultFile.Statistic.MEDIAN,
            false,
            List.copyOf(results.series.values()))
        .write(file);
  }

  private void measure(Case one) throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("\\." + one.benchmark + "\\.")
            .forks(1)
            .warmupIterations(3)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(5)
            .measurementTime(TimeValue.seconds(1))
            .addProfiler(GCProfiler.class);
    if (!one.jvmArgument.isEmpty()) {
      options.jvmArgsAppend(one.jvmArgument);
    }
    for (RunResult run : new Runner(options.build()).run()) {
      String method = run.getParams().getBenchmark().replaceFirst(".*\\.", "");
      String name = one.label.isEmpty() ? method : method + ", " + one.label;
      add(name, "time", "ns", samples(run, IterationResult::getPrimaryResult));
      add(
          name,
          "allocation",
          "B",
          samples(run, iteration -> iteration.getSecondaryResults().get(allocation(iteration))));
    }
  }

  private void add(String name, String figure, String unit, List<Double> samples) {
    series.merge(
        List.of(name, figure),
        new ResultFile.Series(name, figure, unit, samples),
        ResultFile.Series::and);
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

  /**
   * @param benchmark the simple name of its class
   * @param label what its rows are called by; empty for one that is run one way only
   * @param jvmArgument of its forks; empty for none
   */
  record Case(String benchmark, String label, String jvmArgument) {

    static Case parse(String text) {
      String[] benchmarkAndRest = text.split(":", 2);
      if (benchmarkAndRest.length == 1) {
        return new Case(text, "", "");
      }
      String[] labelAndArgument = benchmarkAndRest[1].split("=", 2);
      if (labelAndArgument.length == 1) {
        throw new IllegalArgumentException(
            "a case is BENCHMARK or BENCHMARK:LABEL=JVM_ARGUMENT, not " + text);
      }
      return new Case(benchmarkAndRest[0], labelAndArgument[0], labelAndArgument[1]);
    }
  }
}
