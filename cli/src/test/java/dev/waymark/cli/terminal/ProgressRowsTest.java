package dev.waymark.cli.terminal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.trainer.api.TrainerStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Looks at bar and figures on terminals of several widths, which fail where a row is too long.
 *
 * <p>The library draws on a thread of its own too, now and then a picture that it began before; the
 * right one follows within half a second. So what is seen is waited for.
 */
class ProgressRowsTest {

  private static final String NAME = "djl-iris";

  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private ProgressRows rows;
  private int width;

  @AfterEach
  void endTheBar() {
    if (rows != null) {
      rows.close();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # wide | beside the bar | below it
          60     |                | loss 0.1235, lr 0.001, eval_accuracy 0.9667, eval_loss 0.25
          80     | epoch 594/900  | loss 0.1235, lr 0.001, eval_accuracy 0.9667, train_accuracy 0.9, eval_loss 0.25
          100    | epoch 594/900  | loss 0.1235, lr 0.001, eval_accuracy 0.9667, train_accuracy 0.9, eval_loss 0.25, gpu 97%
          120    | epoch 594/900  | loss 0.1235, lr 0.001, eval_accuracy 0.9667, train_accuracy 0.9, eval_loss 0.25, gpu 97%
          """)
  void fitTheTerminal(int columns, String besideBar, String figures) {
    show(columns, NAME, training("running"));

    await()
        .untilAsserted(
            () -> {
              assertThat(seen()).hasSize(2).last().isEqualTo(figures);
              Bar bar = bar();
              assertThat(bar.name).isEqualTo(NAME);
              assertThat(bar.percent).isEqualTo("42%");
              assertThat(bar.inside).hasSizeGreaterThanOrEqualTo(10);
              assertThat(bar.left).isEqualTo("0:01:05");
              assertThat(bar.beside).isEqualTo(besideBar == null ? "" : besideBar);
            });
  }

  @Test
  void keepTheMostImportantWhereThereIsHardlyRoom() {
    show(40, NAME, training("running"));

    await()
        .untilAsserted(
            () ->
                assertThat(seen())
                    .satisfiesExactly(
                        bar -> assertThat(bar).startsWith("djl-iris  42% [").contains("0:01:05"),
                        figures -> assertThat(figures).startsWith("loss 0.1235, lr 0.001, ")));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 50, 100})
  void barIsAsFullAsThePercentSays(int percent) {
    show(80, NAME, StatusTextTest.status(percent, 65));

    await()
        .untilAsserted(
            () -> {
              String inside = bar().inside;
              assertThat(inside.chars().filter(c -> c == '=').count())
                  .isEqualTo(inside.length() * percent / 100);
              assertThat(bar().percent).isEqualTo(percent + "%");
            });
  }

  @ParameterizedTest
  @CsvSource({"evaluating, evaluating", "interrupted, interrupted", "running, epoch 594/900"})
  void sayTheStateUnlessItIsWhatTheBarShows(String state, String said) {
    show(80, NAME, training(state));

    await().untilAsserted(() -> assertThat(bar().beside).startsWith(said));
  }

  @Test
  void longNameLeavesRoomForTheRest() {
    show(60, "a-train-job-with-quite-a-long-name", training("running"));

    await()
        .untilAsserted(
            () -> {
              assertThat(bar().name).isEqualTo("a-train-job-wit");
              assertThat(bar().left).isEqualTo("0:01:05");
            });
  }

  @Test
  void showNoRowOfFiguresWhereThereAreNone() {
    show(80, NAME, StatusTextTest.status(null, null, "current_step", "7"));

    await()
        .untilAsserted(
            () -> {
              assertThat(seen()).hasSize(1);
              Bar bar = bar();
              assertThat(bar.percent).isEqualTo("? %");
              assertThat(bar.left).isEqualTo("?");
              assertThat(bar.beside).isEqualTo("step 7");
            });
  }

  @Test
  void drawBlocksWhereTheTerminalHasThem() {
    show(80, NAME, UTF_8, training("running"));

    await().untilAsserted(() -> assertThat(bar().inside).startsWith("█").doesNotContain("="));
  }

  private static TrainerStatus training(String state) {
    return StatusTextTest.status(
        42,
        65,
        "state",
        state,
        "current_epoch",
        "594",
        "total_epochs",
        "900",
        "loss",
        "0.123456789",
        "learning_rate",
        "0.001",
        "train_accuracy",
        "0.9",
        "eval_loss",
        "0.25",
        "eval_accuracy",
        "0.96667",
        "gpu_0_utilization",
        "97");
  }

  private void show(int columns, String taskName, TrainerStatus status) {
    show(columns, taskName, US_ASCII, status);
  }

  private void show(int columns, String taskName, Charset charset, TrainerStatus status) {
    width = columns;
    StatusRows terminal = new StatusRows(new PrintStream(screen, true, UTF_8));
    rows = new ProgressRows(terminal, taskName, () -> columns, charset);
    rows.show(status);
  }

  private Bar bar() {
    return Bar.in(seen().get(0));
  }

  /** The program has printed nothing, so the rows begin in the second line. */
  private List<String> seen() {
    List<String> lines = new SmallTerminal(6, width).show(screen.toString(UTF_8));
    assertThat(lines).hasSizeGreaterThan(1).allMatch(line -> line.length() < width);
    return lines.subList(1, lines.size());
  }

  /** The row of the bar in its parts. */
  private static final class Bar {
    private static final Pattern ROW =
        Pattern.compile("(.*?) +(\\S+ ?%) [\\[|](.+)[]|] +\\([0-9:]+ / (\\S+) left\\) *(.*)");

    private final String name;
    private final String percent;
    private final String inside;
    private final String left;
    private final String beside;

    private Bar(Matcher row) {
      name = row.group(1);
      percent = row.group(2);
      inside = row.group(3);
      left = row.group(4);
      beside = row.group(5);
    }

    private static Bar in(String row) {
      Matcher matcher = ROW.matcher(row);
      assertThat(matcher.matches()).as(row).isTrue();
      return new Bar(matcher);
    }
  }
}
