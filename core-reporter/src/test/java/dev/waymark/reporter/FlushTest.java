package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How three seconds are shared out among last words. */
class FlushTest {
  private static final Duration MOST = Duration.ofSeconds(5);

  private final ManualClock clock = new ManualClock();
  private final Flush flush = new Flush(Duration.ofSeconds(3), clock);

  @ParameterizedTest(name = "after {0} ms: older {1}, {2} ms; newest {3} ms")
  @CsvSource({
    "0,    true,  1000, 1500",
    "499,  true,  501,  1500",
    "500,  false, 500,  1500",
    "1000, false, 1,    1500",
    "2000, false, 1,    1000",
    "3500, false, 1,    1"
  })
  void theNewestLastWordHasTwoThirdsOfTheTimeForItself(
      int taken, boolean timeForOlder, int older, int newest) {
    clock.advance(Duration.ofMillis(taken));

    assertThat(flush.hasTimeForOlder()).isEqualTo(timeForOlder);
    assertThat(flush.olderAttemptLimit(MOST)).isEqualTo(Duration.ofMillis(older));
    assertThat(flush.attemptLimit(MOST)).isEqualTo(Duration.ofMillis(newest));
  }

  @Test
  void anOlderLastWordThatIsNotTakenIsTheLastOfThem() {
    flush.olderAttemptFailed();

    assertThat(flush.hasTimeForOlder()).isFalse();
    assertThat(flush.hasFailedOnce()).isFalse();
    assertThat(flush.waitNanos(clock.getAsLong())).as("the newest waits for nothing").isZero();
  }

  @Test
  void afterTheNewestNoOlderOneIsSent() {
    assertThat(flush.attemptFailed()).as("there is another attempt").isTrue();

    assertThat(flush.hasTimeForOlder()).isFalse();
    assertThat(flush.waitNanos(clock.getAsLong())).isEqualTo(Duration.ofMillis(500).toNanos());
    assertThat(flush.attemptFailed()).isFalse();
  }
}
