package dev.waymark.status;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.status.http.HttpAnswer;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusRequestDecoderTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @MethodSource("goRows")
  void decodesAndEchoesAsGoDoes(String bodyAsJsonText, int code, String echo) throws Exception {
    byte[] body = JSON.readValue(bodyAsJsonText, String.class).getBytes(ISO_8859_1);

    if (code == 422) {
      assertThatThrownBy(() -> StatusRequestDecoder.decode(body))
          .isInstanceOf(InvalidPayloadException.class);
    } else {
      HttpAnswer answer =
          StatusRequestDecoder.decode(body)
              .map(StatusAnswer::accepted)
              .orElseGet(StatusAnswer::nothingReported);
      assertThat(JSON.readTree(answer.body())).isEqualTo(JSON.readTree(echo));
    }
  }

  static Stream<Arguments> goRows() throws IOException {
    return GoTable.rows("go-bodies.tsv");
  }

  @Test
  void ofMetricsGivenTwiceTheSecondListCounts() throws Exception {
    Optional<TrainerStatus> status =
        decode(
            "{\"trainerStatus\":{\"metrics\":[{\"name\":\"a\",\"value\":\"1\"}],"
                + "\"metrics\":[{\"value\":\"2\"}],\"lastUpdatedTime\":\"2026-01-02T03:04:05Z\"}}");

    assertThat(status)
        .contains(
            new TrainerStatus(
                null, null, List.of(new Metric("", "2")), Instant.parse("2026-01-02T03:04:05Z")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"})
  void refusesTimesThatLeaveTheCalendarInUtc(String time) {
    assertThatThrownBy(() -> decode("{\"trainerStatus\":{\"lastUpdatedTime\":\"" + time + "\"}}"))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining(time);
  }

  @Test
  void goesAsDeepAsGo() throws Exception {
    assertThat(decode(nested(9_999))).isEmpty();
    assertThatThrownBy(() -> decode(nested(10_000))).isInstanceOf(InvalidPayloadException.class);
  }

  @Test
  void skipsLongNumbersAndNames() throws Exception {
    String digits = "9".repeat(60_000);
    assertThat(decode("{\"a\":" + digits + "}")).isEmpty();
    assertThat(decode("{\"" + digits + "\":1}")).isEmpty();
  }

  private static String nested(int arrays) {
    return "{\"a\":" + "[".repeat(arrays) + "]".repeat(arrays) + "}";
  }

  private static Optional<TrainerStatus> decode(String body) throws InvalidPayloadException {
    return StatusRequestDecoder.decode(body.getBytes(UTF_8));
  }
}
