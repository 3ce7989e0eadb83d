package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT0.4S, 0s",
    "PT1.999944917S, 2s",
    "PT90S, 1m30s",
    "PT10M, 10m",
    "PT2H, 2h",
    "PT48H0M5S, 48h5s",
  })
  void isWhatPeopleWrite(Duration time, String text) {
    assertThat(TimeText.of(time)).isEqualTo(text);
  }
}
