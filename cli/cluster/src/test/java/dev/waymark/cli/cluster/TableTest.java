package dev.waymark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

class TableTest {

  @Test
  void columnsStandBelowEachOther() {
    StringWriter out = new StringWriter();
    new Table("NAME", "STATE", "X")
        .row("iris", "Running", "")
        .row("a-long-one", null, 7)
        .print(new PrintWriter(out, true));

    assertThat(out)
        .hasToString(
            """
            NAME         STATE     X
            iris         Running
            a-long-one             7
            """);
  }

  @Test
  void columnsAreAsWideAsATerminalShowsThem() {
    StringWriter out = new StringWriter();
    new Table("A", "B").row("損失", "1").row("e\u0301", "2").print(new PrintWriter(out, true));

    assertThat(out).hasToString("A      B\n損失   1\ne\u0301      2\n");
  }

  @Test
  void cellsDoNothingToATerminal() {
    StringWriter out = new StringWriter();
    new Table("A").row("\u001b[2Jgone\n\u202eeno").print(new PrintWriter(out, true));

    assertThat(out).hasToString("A\n[2Jgone eno\n");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT-5S, 0s",
    "PT119S, 119s",
    "PT2M, 2m",
    "PT2M5S, 2m5s",
    "PT15M5S, 15m",
    "PT2H59M, 179m",
    "PT3H, 3h",
    "PT3H7M, 3h7m",
    "PT9H7M, 9h",
    "P1DT23H, 47h",
    "P2D, 2d",
    "P400D, 400d",
  })
  void agesAreKubectls(Duration age, String text) {
    Instant now = Instant.parse("2026-11-30T10:00:00Z");

    assertThat(Ages.of(now.minus(age), now)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"90s, PT90S", "90, PT90S", "10m, PT10M", "1h30m, PT90M", "2h5s, PT2H5S", "0, PT0S"})
  void timesAreKubectls(String text, Duration time) {
    assertThat(new DurationConverter().convert(text)).isEqualTo(time);
  }

  @ParameterizedTest
  @CsvSource({"''", "m", "1d", "-5s", "1.5h", "5 m", "99999999999s"})
  void whatIsNoTimeIsRefused(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("\"" + text + "\" is no time: write 90s, 10m or 1h30m");
  }
}
