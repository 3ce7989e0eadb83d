package dev.waymark.benchmarks.eta;

import dev.waymark.benchmarks.ResultFile;
import dev.waymark.benchmarks.ResultFile.Series;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares Waymark's estimate of the remaining time with Hugging Face's formula on generated
 * sessions, seeds 1 to 5, and writes every session's error to the file that is its argument.
 */
public final class EtaSessions {
  private static final int SEEDS = 5;
  private static final int SESSIONS = 200;

  private EtaSessions() {}

  public static void main(String[] args) {
    List<Series> series = new ArrayList<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      List<Double> theirs = new ArrayList<>();
      List<Double> ours = new ArrayList<>();
      SessionGenerator generator = new SessionGenerator(seed);
      for (int i = 0; i < SESSIONS; i++) {
        Session session = generator.next();
        theirs.add(inThousandths(EtaError.ofHuggingFace(session)));
        ours.add(inThousandths(EtaError.ofWaymark(session)));
      }
      series.add(new Series("Hugging Face's formula", "seed " + seed, "%", theirs));
      series.add(new Series("Waymark", "seed " + seed, "%", ours));
    }
    ResultFile.here(
            "Error of the remaining time on " + SESSIONS + " generated sessions a seed",
            "benchmarks/run eta",
            ResultFile.Statistic.MEAN,
            true,
            series)
        .write(Path.of(args[0]));
  }

  private static double inThousandths(double percent) {
    return Math.round(percent * 1000) / 1000.0;
  }
}
