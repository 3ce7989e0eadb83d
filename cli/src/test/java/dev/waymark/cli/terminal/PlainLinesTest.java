package dev.waymark.cli.terminal;

import static dev.waymark.cli.terminal.StatusTextTest.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PlainLinesTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private long nanos;
  private final PlainLines lines = new PlainLines(new PrintStream(out, true, UTF_8), () -> nanos);

  @Test
  void saysWhatChangedAtAReadablePace() {
    lines.show(status(1, 60, "loss", "0.5"));
    after(3);
    lines.show(status(1, 57, "loss", "0.4")); // nothing of note
    lines.show(status(2, 56, "loss", "0.3"));
    after(1);
    lines.show(status(3, 55, "loss", "0.2")); // too soon
    after(1);
    lines.show(status(4, 54, "loss", "0.1"));
    after(2);
    lines.show(status(4, 52, "loss", "0.1", "state", "evaluating"));

    assertThat(out.toString(UTF_8).lines())
        .containsExactly(
            "[waymark] 1%, 1:00 left, loss 0.5",
            "[waymark] 2%, 56 s left, loss 0.3",
            "[waymark] 4%, 54 s left, loss 0.1",
            "[waymark] 4%, evaluating, 52 s left, loss 0.1");
  }

  @Test
  void saysTheStepWhereNothingElseTellsHowFarItIs() {
    lines.show(status(null, null, "state", "running", "current_step", "7", "loss", "0.5"));
    after(3);
    lines.show(status(null, null, "state", "running", "current_step", "7", "loss", "0.4"));
    after(3);
    lines.show(status(null, null, "state", "running", "current_step", "90", "loss", "0.3"));

    assertThat(out.toString(UTF_8).lines())
        .containsExactly(
            "[waymark] running, step 7, loss 0.5", "[waymark] running, step 90, loss 0.3");
  }

  private void after(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }
}
