package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SendScheduleTest {
  private static final long START = Long.MAX_VALUE - seconds(3); // nanoTime may overflow

  @ParameterizedTest(name = "interval {0} s, random {1}: {2} ms")
  @CsvSource({"5, 0, 0", "5, 0.5, 1000", "5, 0.999, 1998", "1, 0.5, 500", "60, 0.5, 1000"})
  void theFirstReportWaitsARandomTime(long interval, double random, long expectedMillis) {
    SendSchedule schedule = new SendSchedule(Duration.ofSeconds(interval), START, () -> random);

    assertThat(schedule.waitNanos(START, false)).isEqualTo(millis(expectedMillis));
    assertThat(schedule.waitNanos(START, true)).isZero();
  }

  @Test
  void reportsAreAnIntervalApartFromStartToStartAndLastWordsDoNotWait() {
    SendSchedule schedule = schedule(5, 0.5);

    schedule.succeeded(START + seconds(10));

    assertThat(schedule.waitNanos(START + seconds(11), false)).isEqualTo(seconds(4));
    assertThat(schedule.waitNanos(START + seconds(16), false)).isEqualTo(-seconds(1));
    assertThat(schedule.waitNanos(START + seconds(11), true)).isZero();
  }

  @ParameterizedTest(name = "interval {0} s, random {1}, {2} failures: {3} ms")
  @CsvSource({
    "5,  0,   1,    5000",
    "5,  0,   2,   10000",
    "5,  0,   3,   20000",
    "5,  0,   4,   25000",
    "5,  0,   99,  25000",
    "5,  0,   9999, 25000",
    "5,  0.5, 1,    5000",
    "5,  0.5, 2,    9000",
    "5,  0.5, 4,   22500",
    "1,  0,   1,    1000",
    "1,  0,   5,   16000",
    "1,  0,   6,   25000",
    "1,  1,   6,   20000",
    "60, 0,   1,   60000",
    "60, 1,   9,   60000"
  })
  void afterFailuresEverythingWaits(
      long interval, double random, int failures, long expectedMillis) {
    SendSchedule schedule = schedule(interval, random);

    for (int i = 0; i < failures; i++) {
      schedule.failed(START);
    }

    assertThat(schedule.waitNanos(START, false)).isEqualTo(millis(expectedMillis));
    assertThat(schedule.waitNanos(START, true)).isEqualTo(millis(expectedMillis));
  }

  @Test
  void aTrainJobThatIsNotFoundIsAskedForSeldom() {
    SendSchedule schedule = schedule(5, 0);

    schedule.notFound(START);

    assertThat(schedule.waitNanos(START, false)).isEqualTo(seconds(25));
    assertThat(schedule.waitNanos(START, true)).isEqualTo(seconds(25));
  }

  /**
   * The endpoint may come back just after an attempt has begun: the next one finds it, and takes 5
   * s at most, so that a report arrives within 30 s.
   */
  @ParameterizedTest(name = "every {0} s, {1} after {2} s, random {3}")
  @CsvSource({
    "1, fails,     0, 0",
    "1, fails,     5, 0.999",
    "5, fails,     0, 0",
    "5, fails,     5, 0",
    "5, fails,     5, 0.999",
    "5, not found, 0, 0",
    "5, not found, 5, 0.999",
  })
  void fromOneAttemptToTheNextItIsNeverMoreThan25Seconds(
      long interval, String outcome, long attemptSeconds, double random) {
    SendSchedule schedule = schedule(interval, random);
    long start = START;
    for (int attempt = 0; attempt < 50; attempt++) {
      if (outcome.equals("fails")) {
        schedule.failed(start);
      } else {
        schedule.notFound(start);
      }
      long end = start + seconds(attemptSeconds);
      long next = end + Math.max(0, schedule.waitNanos(end, false));

      assertThat(next - start).isBetween(seconds(interval), seconds(25));
      start = next;
    }
  }

  @Test
  void successEndsTheBackOff() {
    SendSchedule schedule = schedule(5, 0);
    schedule.failed(START);
    schedule.failed(START);

    schedule.succeeded(START);

    assertThat(schedule.waitNanos(START, false)).isEqualTo(seconds(5));
    schedule.failed(START);
    assertThat(schedule.waitNanos(START, false)).isEqualTo(seconds(5));
  }

  private static SendSchedule schedule(long intervalSeconds, double random) {
    return new SendSchedule(Duration.ofSeconds(intervalSeconds), START, () -> random);
  }

  private static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
