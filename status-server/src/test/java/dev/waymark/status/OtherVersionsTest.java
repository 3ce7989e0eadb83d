package dev.waymark.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reports of reporters that are older than this server, as they were recorded, and of one that is
 * newer and says more than this server knows.
 */
class OtherVersionsTest {
  private static final Path REPORTS = Path.of("../conformance/reports");

  private static final List<Metric> METRICS =
      List.of(
          new Metric("state", "running"),
          new Metric("run", "1"),
          new Metric("loss", "0.25"),
          new Metric("gpu_0_utilization", "97"),
          new Metric("accuracy", "0.9"));

  @ParameterizedTest
  @CsvSource({"0.1-full.json, true", "0.1-bare.json, false", "later.json, true"})
  void reportsOfOtherVersionsMeanWhatTheyMeantThere(String file, boolean metrics) throws Exception {
    TrainerStatus status =
        StatusRequestDecoder.decode(Files.readAllBytes(REPORTS.resolve(file))).orElseThrow();

    assertThat(status.progressPercentage()).isEqualTo(42);
    assertThat(status.estimatedRemainingSeconds()).isEqualTo(600);
    assertThat(status.metrics()).isEqualTo(metrics ? METRICS : null);
    assertThat(status.lastUpdatedTime().truncatedTo(ChronoUnit.SECONDS))
        .isEqualTo(Instant.parse("2026-11-29T18:00:01Z"));
  }
}
