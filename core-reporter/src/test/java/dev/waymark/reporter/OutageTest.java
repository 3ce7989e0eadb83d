package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutageTest {
  private static final long START = Long.MAX_VALUE - 7;

  private final LogLines lines = new LogLines();
  private final Outage outage = new Outage("https://h:443", lines.log());

  @AfterEach
  void giveStandardErrorBack() {
    lines.close();
  }

  @Test
  void oneWarningWhenItBeginsOneInfoWhenItIsOver() {
    outage.attemptSucceeded(START);
    outage.attemptFailed("first", START);
    outage.attemptFailed("second", START + 1);
    outage.attemptSucceeded(START + TimeUnit.SECONDS.toNanos(42));
    outage.attemptSucceeded(START + TimeUnit.SECONDS.toNanos(43));

    assertThat(lines.warnings())
        .containsExactly(
            "no report reaches https://h:443 any more: first. Training goes on; Waymark keeps"
                + " trying.");
    assertThat(lines.debugs()).containsExactly("no report reaches https://h:443 any more: second");
    assertThat(lines.infos()).containsExactly("reports reach https://h:443 again, after 42 s");
  }

  @Test
  void anAttemptThatMayBeTheLastPromisesNoOther() {
    outage.lastAttemptFailed("first", 1, START);
    outage.lastAttemptFailed("second", 1, START + 1);

    assertThat(lines.warnings())
        .containsExactly(
            "no report reached https://h:443: first. The last status may not have arrived.");
    assertThat(lines.debugs()).containsExactly("no report reached https://h:443: second");
  }

  @Test
  void whereReportsHaveArrivedItSaysThatNoMoreDo() {
    outage.attemptSucceeded(START);
    outage.lastAttemptFailed("it hangs", 3, START);

    assertThat(lines.warnings())
        .containsExactly(
            "no report reaches https://h:443 any more: it hangs. The last status of 3 runs may not"
                + " have arrived.");
  }

  @ParameterizedTest
  @CsvSource({"1, an earlier run", "4, 4 earlier runs"})
  void lastWordsThatGaveWayToTheNewestAreCounted(int dropped, String whose) {
    outage.attemptSucceeded(START);
    outage.olderLastWordsDropped(dropped);

    assertThat(lines.warnings())
        .containsExactly(
            "the last status of "
                + whose
                + " may not have reached https://h:443: when the program ended there was time for"
                + " the newest only");
  }

  @Test
  void theNextOutageIsToldAgain() {
    outage.attemptFailed("first", START);
    outage.attemptSucceeded(START);
    outage.attemptFailed("again", START);

    assertThat(lines.warnings()).hasSize(2).last().asString().contains("again");
  }
}
