package dev.waymark.reporter;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusDocumentTest {
  private static final Instant TIME = Instant.parse("2026-11-29T18:00:01.987Z");
  private static final ObjectMapper STRICT =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final List<Metric> own =
      List.of(new Metric("state", "running"), new Metric("run", 1), new Metric("loss", 0.25));
  private final List<Metric> others = new ArrayList<>();
  private final Map<String, Long> figures = new LinkedHashMap<>();

  @Test
  void isWhatTheEndpointTakes() {
    others.add(new Metric("accuracy", 0.9));
    figures.put("gpu_0_utilization", 97L);
    Report report = document(42, 600).report(true, TIME);

    assertThat(new String(report.full(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"trainerStatus\":{\"lastUpdatedTime\":\"2026-11-29T18:00:01Z\","
                + "\"progressPercentage\":42,\"estimatedRemainingSeconds\":600,\"metrics\":["
                + "{\"name\":\"state\",\"value\":\"running\"},{\"name\":\"run\",\"value\":\"1\"},"
                + "{\"name\":\"loss\",\"value\":\"0.25\"},"
                + "{\"name\":\"gpu_0_utilization\",\"value\":\"97\"},"
                + "{\"name\":\"accuracy\",\"value\":\"0.9\"}]}}");
    assertThat(report.ended()).isTrue();
    assertThat(metrics(report.essential()).keySet()).containsExactly("state", "run", "loss");
    assertThat(status(report.essential()).get("progressPercentage").intValue()).isEqualTo(42);
    assertThat(new String(report.bare(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"trainerStatus\":{\"lastUpdatedTime\":\"2026-11-29T18:00:01Z\","
                + "\"progressPercentage\":42,\"estimatedRemainingSeconds\":600}}");
  }

  @Test
  void leavesOutWhatIsUnknown() {
    Report report = document(RunSnapshot.UNKNOWN, RunSnapshot.UNKNOWN).report(false, TIME);

    assertThat(report.ended()).isFalse();
    assertThat(status(report.full()).has("progressPercentage")).isFalse();
    assertThat(status(report.full()).has("estimatedRemainingSeconds")).isFalse();
    assertThat(new String(report.bare(), StandardCharsets.UTF_8))
        .isEqualTo("{\"trainerStatus\":{\"lastUpdatedTime\":\"2026-11-29T18:00:01Z\"}}");
  }

  @ParameterizedTest(name = "{0} s: {1}")
  @CsvSource({
    "0, 0",
    "2147483647, 2147483647",
    "2147483648, 2147483647",
    "9223372036854775807, 2147483647"
  })
  void clampsTheRemainingTimeTo32Bits(long seconds, int expected) {
    assertThat(status(full(0, seconds)).get("estimatedRemainingSeconds").intValue())
        .isEqualTo(expected);
  }

  @Test
  void keepsWithinThreeHundredMetrics() {
    for (int i = 0; i < 300; i++) {
      others.add(new Metric("metric_" + i, i));
    }
    figures.put("gpu_0_utilization", 97L);

    Map<String, String> metrics = accepted(full(1, 1));

    assertThat(metrics)
        .hasSize(256)
        .containsEntry("state", "running")
        .containsEntry("gpu_0_utilization", "97")
        .containsEntry("metric_251", "251")
        .doesNotContainKey("metric_252");
    assertThat(document(1, 1).isCutOff()).isTrue();
  }

  @Test
  void keepsWithinTheBytesOfABodyAndKeepsWhatMatters() {
    String emoji = "\uD83D\uDE80".repeat(60);
    for (int i = 0; i < 253; i++) {
      others.add(new Metric(emoji + i, Double.MAX_VALUE));
    }
    figures.put("gpu_0_utilization", 97L);

    byte[] full = full(42, 60);

    assertThat(full.length).isBetween(59_400, 60_000);
    assertThat(document(42, 60).isCutOff()).isTrue();
    assertThat(accepted(full))
        .containsEntry("state", "running")
        .containsEntry("loss", "0.25")
        .containsEntry("gpu_0_utilization", "97")
        .hasSizeGreaterThan(150);
    assertThat(status(full).get("progressPercentage").intValue()).isEqualTo(42);
  }

  @Test
  void makesAwkwardNamesAcceptable() {
    others.add(new Metric("x".repeat(200), 1));
    others.add(new Metric("x".repeat(201), 2));
    others.add(new Metric("x".repeat(64), 3));
    others.add(new Metric("\uD83D\uDE80".repeat(65), 4));
    others.add(new Metric("say \"hi\\\"\n\t\0\u009b", 5));
    others.add(new Metric("half \uD83D", 6));
    others.add(new Metric("\uDE80 half", 7));
    others.add(new Metric("  ", 8));
    others.add(new Metric("", 9));
    others.add(new Metric("  spaced  ", 10));
    others.add(new Metric("loss", 11));
    others.add(new Metric("übergröße", 12));

    Map<String, String> metrics = accepted(full(1, 1));

    assertThat(metrics)
        .containsEntry("x".repeat(64), "1")
        .containsEntry("x".repeat(62) + "~2", "2")
        .containsEntry("x".repeat(62) + "~3", "3")
        .containsEntry("\uD83D\uDE80".repeat(64), "4")
        .containsEntry("say \"hi\\\"\uFFFD\uFFFD\uFFFD\uFFFD", "5")
        .containsEntry("half \uFFFD", "6")
        .containsEntry("\uFFFD half", "7")
        .containsEntry("spaced", "10")
        .containsEntry("loss", "0.25")
        .containsEntry("loss~2", "11")
        .containsEntry("übergröße", "12")
        .doesNotContainValue("8")
        .doesNotContainValue("9");
  }

  @Test
  void aFigureThatTheVendorsToolTellsIsNotToldTwice() {
    others.add(new Metric("gpu_0_memory_used_bytes", 5));
    others.add(new Metric("gpu_0_memory_total_bytes", 10));
    figures.put("gpu_0_memory_used_bytes", 6L);

    assertThat(accepted(full(1, 1)))
        .containsEntry("gpu_0_memory_used_bytes", "6")
        .containsEntry("gpu_0_memory_total_bytes", "10")
        .doesNotContainKey("gpu_0_memory_used_bytes~2");
  }

  @Test
  void tellsItsNewsFromTheTime() {
    assertThat(document(1, 2).saysTheSameAs(null)).isFalse();
    assertThat(document(1, 2).saysTheSameAs(document(1, 2))).isTrue();
    assertThat(document(1, 2).saysTheSameAs(document(2, 2))).isFalse();
    assertThat(document(1, 2).saysTheSameAs(document(1, 3))).isFalse();
    StatusDocument before = document(1, 2);
    figures.put("gpu_0_utilization", 3L);
    assertThat(document(1, 2).saysTheSameAs(before)).isFalse();
  }

  @Test
  void isTheSameInEveryLocale() {
    Locale former = Locale.getDefault();
    byte[] english = full(42, 1234567);
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(full(42, 1234567)).isEqualTo(english);
      Locale.setDefault(Locale.forLanguageTag("tr-TR"));
      assertThat(full(42, 1234567)).isEqualTo(english);
    } finally {
      Locale.setDefault(former);
    }
  }

  private byte[] full(int percent, long remainingSeconds) {
    return document(percent, remainingSeconds).report(false, TIME).full();
  }

  private StatusDocument document(int percent, long remainingSeconds) {
    return new StatusDocument(
        new RunSnapshot(RunState.RUNNING, percent, remainingSeconds, own, others, false), figures);
  }

  /** Checks the limits of the schema as a strict server does; returns the metrics by name. */
  private static Map<String, String> accepted(byte[] document) {
    assertThat(document.length).isLessThanOrEqualTo(60_000);
    JsonNode metrics = status(document).get("metrics");
    assertThat(metrics.size()).isLessThanOrEqualTo(256);
    List<String> names =
        IntStream.range(0, metrics.size())
            .mapToObj(i -> metrics.get(i).get("name").textValue())
            .collect(toList());
    assertThat(new HashSet<>(names)).hasSameSizeAs(names);
    metrics.forEach(
        metric -> {
          assertThat(characters(metric.get("name"))).isBetween(1, 64);
          assertThat(characters(metric.get("value"))).isBetween(1, 64);
        });
    return metrics(document);
  }

  private static int characters(JsonNode text) {
    return text.textValue().codePointCount(0, text.textValue().length());
  }

  private static Map<String, String> metrics(byte[] document) {
    Map<String, String> metrics = new LinkedHashMap<>();
    status(document)
        .get("metrics")
        .forEach(m -> metrics.put(m.get("name").textValue(), m.get("value").textValue()));
    return metrics;
  }

  private static JsonNode status(byte[] document) {
    try {
      return STRICT.readTree(document).get("trainerStatus");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
