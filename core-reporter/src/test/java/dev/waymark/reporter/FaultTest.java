package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultTest {
  @BeforeEach
  void nothingToldYet() {
    Fault.TOLD.set(false);
  }

  @AfterEach
  void forget() {
    System.clearProperty("waymark.log");
  }

  @Test
  void isToldInOneLineOnceUnlessTheLogIsOff() {
    try (LogLines lines = new LogLines()) {
      System.setProperty("waymark.log", "off");
      Fault.tell(new IllegalStateException("not told"));
      System.setProperty("waymark.log", "warn");
      Fault.guard(() -> lines.log().info("no fault"));
      Fault.tell(new NamelessException());
      Fault.guard(FaultTest::fail);
      Fault.tell(new IllegalStateException("not told again"));

      assertThat(lines.all())
          .containsExactly(
              "[waymark] INFO no fault",
              "[waymark] WARN some figures of this training are not reported: "
                  + "java.lang.IllegalStateException: told on one line");
    }
  }

  @Test
  void nothingIsDoneForAFaultAfterTheFirst() {
    Fault.TOLD.set(true);
    AtomicInteger asked = new AtomicInteger();

    Fault.tell(
        new IllegalStateException() {
          private static final long serialVersionUID = 1;

          @Override
          public String toString() {
            return "asked " + asked.incrementAndGet();
          }
        });

    assertThat(asked).as("a program's own code, at each step").hasValue(0);
  }

  private static void fail() {
    throw new IllegalStateException("told\non one line");
  }

  /** Its own toString() fails. */
  private static final class NamelessException extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      throw new IllegalStateException("no name");
    }
  }
}
