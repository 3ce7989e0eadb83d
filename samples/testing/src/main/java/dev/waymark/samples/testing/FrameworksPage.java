package dev.waymark.samples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The page that tells what each entry point of a framework yields. A row begins with the entry
 * point, goes on with what a run of it told, and ends with its limits in a person's words.
 */
public final class FrameworksPage {
  private static final Path PAGE = Paths.get("../../docs/FRAMEWORKS.md");

  /** Set by {@code -Dframeworks.write=true}: the page follows the runs, instead of the reverse. */
  private static final boolean WRITE = Boolean.getBoolean("frameworks.write");

  private static final String NOTHING = "-";

  /** A run that is over sooner may be without an estimate: the first is due after 2 s. */
  private static final Duration SETTLED = Duration.ofSeconds(5);

  private FrameworksPage() {}

  /**
   * Asserts that the page tells of an entry point what a run of it told.
   *
   * @param entryPoint the first cell of the row
   */
  public static void tells(String entryPoint, WatchedRun run) throws IOException {
    String begin = "| " + entryPoint + " |";
    List<String> lines = Files.readAllLines(PAGE);
    List<String> rows =
        lines.stream().filter(line -> line.startsWith(begin)).collect(Collectors.toList());
    assertThat(rows).as("rows of %s that begin with '%s'", PAGE, begin).hasSize(1);
    String told = begin + " " + told(run) + " | ";
    String limits = limits(rows.get(0));
    if (WRITE) {
      lines.set(lines.indexOf(rows.get(0)), told + limits);
      Files.write(PAGE, lines);
    } else {
      assertThat(rows.get(0))
          .as("what the run told; -Dframeworks.write=true writes it to %s", PAGE)
          .isEqualTo(told + limits);
    }
  }

  private static String limits(String row) {
    String cells = row.substring(0, row.lastIndexOf('|'));
    return row.substring(cells.lastIndexOf('|') + 2);
  }

  private static String told(WatchedRun run) {
    Report last = run.last();
    return String.join(
        " | ",
        last.metric("state"),
        last.percent() == null ? NOTHING : last.percent() + " %",
        yes(isTimeLeftKnown(run)),
        count(last, "epoch"),
        count(last, "step"),
        yes(last.metric("loss") != null),
        yes(last.metric("learning_rate") != null),
        evaluations(last));
  }

  /** By the total of steps, from which it follows: a run that is long enough has to show it. */
  private static boolean isTimeLeftKnown(WatchedRun run) {
    boolean known = run.reports().stream().anyMatch(report -> report.metric("total_steps") != null);
    if (run.length().compareTo(SETTLED) >= 0) {
      assertThat(!run.estimates().isEmpty())
          .as("the time left was told: %s", run.reports())
          .isEqualTo(known);
    }
    return known;
  }

  private static String yes(boolean known) {
    return known ? "yes" : NOTHING;
  }

  private static String count(Report last, String what) {
    String current = last.metric("current_" + what);
    String total = last.metric("total_" + what + "s");
    if (current == null) {
      return NOTHING;
    }
    return total == null ? current : current + " of " + total;
  }

  private static String evaluations(Report last) {
    String names =
        last.metricNames().stream()
            .filter(name -> Arrays.asList("train", "eval").contains(name.split("_")[0]))
            .sorted()
            .map(name -> "`" + name + "`")
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? NOTHING : names;
  }
}
