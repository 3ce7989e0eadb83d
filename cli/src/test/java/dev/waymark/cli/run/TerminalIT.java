package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.waymark.cli.terminal.SmallTerminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person sees who runs the packaged {@code waymark} command at a terminal. */
class TerminalIT {

  private static final int LINES = 24;
  private static final String FIGURES = "loss 0.5, lr 0.001, eval_accuracy 0.9667, bad[2J x";

  /** Moves the cursor back to the program's output: the end of each drawing of the rows. */
  private static final String RESTORE = "\u001b8";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {60, 80})
  void barAndFiguresStandBelowTheProgramsOutput(int columns) throws Exception {
    assumeThat(madeByUtilLinux("script"))
        .as("the script command of util-linux on the PATH, to make a terminal")
        .isTrue();
    Waymark waymark =
        Waymark.startAtTerminal(
            folder,
            LINES,
            columns,
            Stream.concat(
                    Stream.of("run", "--no-page", "--"),
                    Waymark.program(
                        "metric",
                        "learning_rate",
                        "0.001",
                        "metric",
                        "eval_accuracy",
                        "0.96667",
                        "out",
                        "of the program",
                        "report",
                        "42",
                        "exit",
                        "7")
                        .stream())
                .toList());
    Waymark.Ended ended = waymark.awaitEnd();

    assertThat(ended.exitCode()).as(ended.toString()).isEqualTo(7);
    assertThat(screensWithFigures(ended.out(), columns))
        .anySatisfy(
            screen -> {
              assertThat(screen).first().isEqualTo("of the program");
              assertThat(screen.get(screen.size() - 2))
                  .startsWith("scriptedprogram")
                  .contains(" 42% |█", "? left)");
              assertThat(screen).last().isEqualTo(FIGURES);
            });
    assertThat(ended.out())
        .endsWith("\r\n")
        .contains("[waymark] 42%, " + FIGURES, "[waymark] program exited with 7 after ");
  }

  /** The screen at each moment when the figures had just been drawn. */
  private static List<List<String>> screensWithFigures(String shown, int columns) {
    List<List<String>> screens = new ArrayList<>();
    int at = shown.indexOf(FIGURES + RESTORE);
    while (at >= 0) {
      int end = at + FIGURES.length();
      screens.add(new SmallTerminal(LINES, columns).show(shown.substring(0, end)));
      at = shown.indexOf(FIGURES + RESTORE, end);
    }
    return screens;
  }

  private static boolean madeByUtilLinux(String command) throws IOException {
    Process asked;
    try {
      asked = new ProcessBuilder(command, "--version").redirectErrorStream(true).start();
    } catch (IOException notHere) {
      return false;
    }
    asked.getOutputStream().close();
    return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .contains("util-linux");
  }
}
