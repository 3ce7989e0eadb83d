package dev.waymark.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a result file of what the agent's growth test has measured: how much memory each way to
 * train took after a third of its iterations, and before the last.
 */
public final class GrowthResults {
  private static final List<String> FIGURES =
      List.of("heap", "heap at the end", "process", "process at the end");

  private GrowthResults() {}

  /** Arguments: the test's file, iterations of each way, result file. */
  public static void main(String[] args) throws IOException {
    ResultFile.here(
            "What " + args[1] + " iterations of Deeplearning4j keep",
            "benchmarks/run growth",
            ResultFile.Statistic.MEDIAN,
            false,
            series(Files.readAllLines(Path.of(args[0]))))
        .write(Path.of(args[2]));
  }

  /**
   * @param lines the figures in bytes, and then the way, which may hold a comma
   */
  static List<ResultFile.Series> series(List<String> lines) {
    List<ResultFile.Series> series = new ArrayList<>();
    for (String line : lines) {
      String[] columns = line.split(",", FIGURES.size() + 1);
      for (int i = 0; i < FIGURES.size(); i++) {
        double megabytes = Long.parseLong(columns[i]) / 1e6;
        series.add(
            ResultFile.Series.of(columns[FIGURES.size()], FIGURES.get(i), "MB", megabytes, null));
      }
    }
    return series;
  }
}
