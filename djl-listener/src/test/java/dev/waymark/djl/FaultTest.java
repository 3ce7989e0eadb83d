package dev.waymark.djl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

/** One test, since a fault is told once a process. */
class FaultTest {
  @Test
  void isToldInOneLineOnceUnlessTheLogIsOff() {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream err = System.err;
    System.setErr(new PrintStream(told, true, UTF_8));
    try {
      System.setProperty("waymark.log", "off");
      Fault.tell(new IllegalStateException("not told"));
      System.setProperty("waymark.log", "warn");
      Fault.tell(new IllegalStateException("told\non one line"));
      Fault.tell(new IllegalStateException("not told again"));
    } finally {
      System.setErr(err);
      System.clearProperty("waymark.log");
    }

    assertThat(told.toString(UTF_8).strip())
        .isEqualTo(
            "[waymark] WARN some figures of this DJL training are not reported: "
                + "java.lang.IllegalStateException: told on one line");
  }
}
