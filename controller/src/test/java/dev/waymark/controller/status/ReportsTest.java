package dev.waymark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportsTest {

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-,-,false",
        "0,-,false",
        "99,running,false",
        "99,evaluating,false",
        "100,-,true",
        "100,running,true",
        "40,completed,true",
        "40,stopped_early,true",
        "40,failed,true",
        "40,diverged,true",
        "-,interrupted,true",
        "40,COMPLETED,false"
      })
  void tellsLastWords(Integer progress, String state, boolean expected) {
    assertThat(Reports.isFinal(report(progress, state, Instant.EPOCH))).isEqualTo(expected);
  }

  /** Times are seconds; the report that waited has time 10. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "9,running,false",
        "10,running,false",
        "11,running,true",
        "-,running,false",
        "9,completed,false",
        "9,failed,false",
        "10,failed,true",
        "10,completed,true",
        "11,completed,true",
        "-,completed,true"
      })
  void givesWayToLaterReportsAndToLastWordsOfTheSameSecond(
      Long time, String state, boolean expected) {
    TrainerStatus waiting = report(50, "running", Instant.ofEpochSecond(10));
    TrainerStatus stored = report(40, state, time == null ? null : Instant.ofEpochSecond(time));

    assertThat(Reports.isOvertaken(waiting, stored)).isEqualTo(expected);
  }

  @Test
  void isNotOvertakenByNothing() {
    assertThat(Reports.isOvertaken(report(50, "running", Instant.EPOCH), null)).isFalse();
  }

  private static TrainerStatus report(Integer progress, String state, Instant time) {
    List<Metric> metrics = state == null ? null : List.of(new Metric("state", state));
    return new TrainerStatus(progress, null, metrics, time);
  }
}
