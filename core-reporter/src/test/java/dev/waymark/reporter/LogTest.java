package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "OFF,   ''",
    "WARN,  '[waymark] WARN w'",
    "INFO,  '[waymark] WARN w|[waymark] INFO i'",
    "DEBUG, '[waymark] WARN w|[waymark] INFO i|[waymark] DEBUG d'"
  })
  void tellsAsMuchAsIsAskedFor(Log.Level level, String expected) {
    PrintStream former = System.err;
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      Log log = new Log(level);
      log.warn("w");
      log.info("i");
      log.debug("d");
    } finally {
      System.setErr(former);
    }
    assertThat(String.join("|", err.toString(StandardCharsets.UTF_8).lines().toList()))
        .isEqualTo(expected);
  }

  @Test
  void keepsALineALine() {
    assertThat(Log.format(Log.Level.WARN, "a\r\nb\u001b[2Jc\u009bd"))
        .isEqualTo("[waymark] WARN a  b [2Jc d");
  }
}
