package dev.waymark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurements of controllers are written in Python, and their tables in Java. */
class ControllerResultsTest {

  private static final Path BENCH = Path.of("../conformance/bench").toAbsolutePath().normalize();

  @TempDir Path folder;

  @Test
  void tablesAreMadeOfWhatTheMeasurementsWrite() throws Exception {
    Path file = folder.resolve("result.json");
    python(
        """
        import sys
        sys.path.insert(0, sys.argv[1])
        import results
        results.write(sys.argv[2], 'A "title"', "bench.py jobs", {"time": "s", "writes": ""}, True,
                      {"floor": [{"time": 4}, {"time": 5}],
                       "controller": [{"time": 6, "writes": 3}, {"time": 6.5, "writes": 3}]})
        """,
        BENCH.toString(),
        file.toString());

    ResultFile written = ResultFile.read(file);
    assertThat(written.title()).isEqualTo("A \"title\"");
    assertThat(written.command()).isEqualTo("bench.py jobs");
    assertThat(written.commit()).matches("[0-9a-f]{12}|unknown");
    assertThat(written.date()).matches("\\d{4}-\\d\\d-\\d\\d");
    assertThat(written.statistic()).isEqualTo(ResultFile.Statistic.MEDIAN);
    assertThat(written.paired()).isTrue();
    assertThat(written.series())
        .containsExactly(
            new ResultFile.Series("floor", "time", "s", List.of(4.0, 5.0)),
            new ResultFile.Series("controller", "time", "s", List.of(6.0, 6.5)),
            new ResultFile.Series("controller", "writes", "", List.of(3.0, 3.0)));
    assertThat(ResultTables.table(written)).contains("| 1.400 | 3.00 (3.00 to 3.00, n=2) |");
  }

  private void python(String program, String... arguments) throws Exception {
    assumeTrue(hasPython(), "python3 is not here");
    Path script = Files.writeString(folder.resolve("program.py"), program);
    ProcessBuilder builder = new ProcessBuilder("python3", script.toString());
    builder.command().addAll(List.of(arguments));
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }

  private static boolean hasPython() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
