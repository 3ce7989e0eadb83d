package dev.waymark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {

  private static final Duration SPACING = Duration.ofSeconds(1);

  private final AtomicLong now = new AtomicLong(5_000);
  private final Pace pace = new Pace(SPACING, now::get);

  @Test
  void nothingIsWaitedForBeforeTheFirstAttempt() {
    assertThat(pace.untilProgress()).isZero();
    assertThat(pace.untilLastWord(false)).isZero();
  }

  @Test
  void progressIsSpacedFromTheLastAttemptWhateverBecameOfIt() {
    pace.begins(false);
    after(Duration.ofMillis(300));
    assertThat(untilProgress()).isEqualTo(Duration.ofMillis(700));

    pace.failed();
    assertThat(untilProgress()).as("from its end").isEqualTo(SPACING);
  }

  @ParameterizedTest
  @CsvSource({
    "PT1S, 1, PT1S",
    "PT1S, 2, PT2S",
    "PT1S, 3, PT4S",
    "PT1S, 5, PT16S",
    "PT1S, 6, PT30S",
    "PT1S, 10000, PT30S",
    "PT1M, 1, PT1M",
    "PT1M, 9, PT1M",
    "PT0S, 1, PT0.05S",
    "PT0S, 3, PT0.2S",
  })
  void anApiServerThatFailsIsAskedAtLongerAndLongerIntervals(
      Duration spacing, int failures, Duration interval) {
    Pace failing = new Pace(spacing, now::get);
    for (int i = 0; i < failures; i++) {
      failing.begins(false);
      after(Duration.ofSeconds(10));
      failing.failed();
    }

    assertThat(Duration.ofNanos(failing.untilProgress())).isEqualTo(interval);
  }

  @Test
  void oneThatAnswersAgainIsAskedAsBefore() {
    for (int i = 0; i < 5; i++) {
      pace.begins(false);
      pace.failed();
    }
    pace.begins(false);
    pace.succeeded();

    assertThat(untilProgress()).isEqualTo(SPACING);
  }

  @Test
  void aLastWordWaitsForAnEarlierOneOnlyEvenForOneThatFailed() {
    pace.begins(false);
    assertThat(pace.untilLastWord(false)).isZero();

    pace.begins(true);
    pace.failed();
    assertThat(untilLastWord(false)).isEqualTo(SPACING);
    assertThat(untilLastWord(true)).as("after progress").isEqualTo(SPACING);

    pace.begins(false);
    assertThat(pace.untilLastWord(false)).isZero();
  }

  @Test
  void aLastWordThatEndsAnotherRunWaitsForATenthOfTheSpacing() {
    pace.begins(true);
    pace.succeeded();
    after(Duration.ofMillis(30));

    assertThat(untilLastWord(true)).isEqualTo(Duration.ofMillis(70));
    assertThat(untilLastWord(false)).isEqualTo(Duration.ofMillis(970));
    assertThat(untilProgress()).isEqualTo(Duration.ofMillis(970));
  }

  @Test
  void atTheEndNothingIsSpacedAndFailuresLittle() {
    pace.flush();
    pace.begins(true);
    assertThat(pace.untilProgress()).isZero();
    assertThat(pace.untilLastWord(false)).isZero();

    pace.failed();
    assertThat(untilProgress()).isEqualTo(Duration.ofMillis(200));
    assertThat(untilLastWord(true)).isEqualTo(Duration.ofMillis(200));
  }

  private Duration untilProgress() {
    return Duration.ofNanos(pace.untilProgress());
  }

  private Duration untilLastWord(boolean afterProgress) {
    return Duration.ofNanos(pace.untilLastWord(afterProgress));
  }

  private void after(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
