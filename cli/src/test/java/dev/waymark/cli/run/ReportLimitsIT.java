package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.reporter.TrainingRun;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the real reporter makes of a program that tells too much, the real status endpoint takes as
 * it is, with all the limits of the TrainJob's schema: nothing is refused, and so nothing sent
 * again in a smaller size.
 */
class ReportLimitsIT {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"words", "emoji", "escapes"})
  void whatMattersArrivesFromAProgramThatTellsTooMuch(String names) throws Exception {
    Path record = folder.resolve("record.jsonl");
    Waymark waymark =
        Waymark.start(
            folder,
            List.of(
                "run",
                "--no-page",
                "--record",
                record.toString(),
                "--",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath(),
                TalkativeProgram.class.getName(),
                names));
    Waymark.Ended ended = waymark.awaitEnd();

    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).doesNotContain("no report reach").doesNotContain("refuses");
    List<String> accepted = Files.readAllLines(record);
    JsonNode status =
        new ObjectMapper().readTree(accepted.get(accepted.size() - 1)).get("trainerStatus");
    assertThat(status.get("progressPercentage").intValue()).isEqualTo(100);
    assertThat(metrics(status))
        .containsEntry("state", "completed")
        .containsEntry("current_step", "10")
        .containsEntry("total_epochs", "2")
        .containsEntry("loss", "0.25")
        .containsEntry("learning_rate", "0.001")
        .containsEntry("accuracy", "0.9")
        .containsEntry("unheard of", "1.0E308")
        .doesNotContainKey("not a number")
        .hasSizeBetween(180, 256);
  }

  private static Map<String, String> metrics(JsonNode status) {
    Map<String, String> metrics = new LinkedHashMap<>();
    for (JsonNode metric : status.get("metrics")) {
      metrics.put(metric.get("name").textValue(), metric.get("value").textValue());
    }
    return metrics;
  }

  private static String classPath() throws Exception {
    Path reporter =
        Path.of(TrainingRun.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Path.of("target/test-classes").toAbsolutePath() + File.pathSeparator + reporter;
  }
}
