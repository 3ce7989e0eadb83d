package dev.waymark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultTablesTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @ParameterizedTest
  @ValueSource(strings = {"docs/BENCHMARKS.md", "README.md"})
  void pagesSayWhatTheFilesSay(String page) throws IOException {
    String text = Files.readString(ROOT.resolve(page));
    assertThat(text).contains("<!-- results: ");
    assertThat(text).isEqualTo(ResultTables.fill(text, ROOT.resolve("benchmarks/results")));
  }

  @Test
  void aTableWithoutItsFileHasNoNumbers(@TempDir Path noResults) {
    String begin = "<!-- results: new.json -->\n";
    String end = "<!-- end of results -->";
    assertThat(ResultTables.fill(begin + "| 1 ns |\n" + end, noResults))
        .isEqualTo(begin + "Not measured yet.\n" + end);
  }

  @Test
  void aTableHasMediansRangesAndRatiosOfPairs() {
    ResultFile file =
        new ResultFile(
            "Training time",
            "abc",
            "17",
            "2 processors",
            "2026-01-02",
            "run it",
            ResultFile.Statistic.MEDIAN,
            true,
            List.of(
                new ResultFile.Series("none", "time", "s", List.of(10.0, 20.0, 30.0)),
                new ResultFile.Series("agent", "time", "s", List.of(10.1, 20.4, 30.3)),
                new ResultFile.Series(
                    "other", "time", "s", List.of(10.0, 12.0, 10.0), List.of(10.0, 10.0, 8.0))));
    assertThat(ResultTables.table(file))
        .contains("| none | 20.0 s (10.0 to 30.0, n=3) |  |\n")
        .contains("| agent | 20.4 s (10.1 to 30.3, n=3) | 1.010 |\n")
        .contains("| other | 10.0 s (10.0 to 12.0, n=3) | 1.200 |\n")
        .endsWith("2026-01-02, commit abc, JDK 17, 2 processors: `run it`\n");
  }

  @Test
  void aFigureThatTheFirstCaseLacksHasNoRatio() {
    ResultFile file =
        new ResultFile(
            "Jobs",
            "abc",
            "17",
            "2 processors",
            "2026-01-02",
            "run it",
            ResultFile.Statistic.MEDIAN,
            true,
            List.of(
                new ResultFile.Series("floor", "time", "s", List.of(4.0)),
                new ResultFile.Series("controller", "time", "s", List.of(6.0)),
                new ResultFile.Series("controller", "writes", "", List.of(3.0))));
    assertThat(ResultTables.table(file))
        .contains("| | time | ratio | writes |\n")
        .startsWith("Jobs. One run; ratio")
        .contains("| floor | 4.00 s |  |  |\n")
        .contains("| controller | 6.00 s | 1.500 | 3.00 |\n");
  }

  @Test
  void aFileSurvivesWritingAndReading(@TempDir Path folder) {
    ResultFile file =
        ResultFile.here(
            "t",
            "c",
            ResultFile.Statistic.MEAN,
            false,
            List.of(new ResultFile.Series("a", "b", "ns", List.of(1.5, 2.0))));
    file.write(folder.resolve("x.json"));
    assertThat(ResultFile.read(folder.resolve("x.json"))).isEqualTo(file);
  }
}
