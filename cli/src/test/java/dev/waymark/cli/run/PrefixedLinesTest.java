package dev.waymark.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PrefixedLinesTest {

  private final ByteArrayOutputStream target = new ByteArrayOutputStream();

  @Test
  void handsOnWholeLinesOnly() throws IOException {
    PrefixedLines first = new PrefixedLines(target, "[0] ");
    PrefixedLines second = new PrefixedLines(target, "[1] ");

    first.write("one".getBytes(UTF_8));
    second.write("two\nth".getBytes(UTF_8));
    first.write(" more\n\n".getBytes(UTF_8));
    second.close();
    first.close();

    assertThat(target.toString(UTF_8)).isEqualTo("[1] two\n[0] one more\n[0] \n[1] th\n");
  }

  @Test
  void breaksALineThatNeverEnds() throws IOException {
    try (PrefixedLines lines = new PrefixedLines(target, "")) {
      lines.write("x".repeat(100_000).getBytes(UTF_8));
    }

    assertThat(target.toString(UTF_8).lines().map(String::length)).containsExactly(65_536, 34_464);
  }
}
