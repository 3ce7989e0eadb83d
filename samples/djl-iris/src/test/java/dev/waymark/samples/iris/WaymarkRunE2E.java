package dev.waymark.samples.iris;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The whole product: a program that does not know Waymark trains under {@code waymark run}, and its
 * progress arrives by agent, reporter, TLS, token and status endpoint.
 */
class WaymarkRunE2E {

  private static final Path CLI = absolute("../../cli/target/waymark-cli.jar");
  private static final Path SAMPLE = absolute("target/djl-iris.jar");
  private static final String JAVA =
      Paths.get(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"easytrain, 60, 60", "loop, 60, "})
  void aPlainProgramReportsItself(String program, String epochs, String totalEpochs)
      throws Exception {
    run("--", JAVA, "-jar", SAMPLE.toString(), program, "--epochs", epochs);

    List<JsonNode> reports = reports();
    assertThat(reports)
        .allSatisfy(
            report -> assertThat(report.path("trainJob").asText()).isEqualTo("default/djl-iris"));
    assertThat(percents(reports)).isSorted().allMatch(percent -> percent >= 0 && percent <= 100);
    assertThat(percents(reports.subList(0, reports.size() - 1))).allMatch(percent -> percent < 100);

    JsonNode last = reports.get(reports.size() - 1);
    assertThat(metric(last, "state")).hasValue("completed");
    assertThat(number(last, "loss")).isBetween(0.0, 1.0);
    assertThat(number(last, "learning_rate")).isBetween(0.0, 1.0);
    assertThat(number(last, "current_step")).isPositive();
    if (totalEpochs != null) {
      assertThat(last.path("trainerStatus").path("progressPercentage").asInt()).isEqualTo(100);
      assertThat(metric(last, "total_epochs")).hasValue(totalEpochs);
      assertThat(number(last, "current_epoch")).isEqualTo(Double.parseDouble(totalEpochs));
      assertThat(number(last, "eval_accuracy")).isBetween(0.3, 1.0);
    }
  }

  @Test
  void aPlainProgramThatGoesOnFromACheckpointCountsFromThere() throws Exception {
    run("--", JAVA, "-Dwaymark.start.epoch=40", "-jar", SAMPLE.toString(), "--epochs", "60");

    List<JsonNode> reports = reports();
    assertThat(percents(reports)).isSorted().allMatch(percent -> percent >= 40);
    JsonNode last = reports.get(reports.size() - 1);
    assertThat(metric(last, "current_epoch")).hasValue("100");
    assertThat(metric(last, "total_epochs")).hasValue("100");
    assertThat(metric(last, "state")).hasValue("completed");
  }

  @Test
  void theTrainJobOfTheSampleRunsHere() throws Exception {
    String job =
        new String(Files.readAllBytes(Paths.get("trainjob.yaml")))
            .replace("local-root: target", "local-root: " + SAMPLE.getParent())
            .replace("args: [easytrain]", "args: [easytrain, --epochs, '60']");
    Path file = folder.resolve("trainjob.yaml");
    Files.write(file, job.getBytes());

    String out = run(file.toString(), absolute("runtime.yaml").toString());

    assertThat(out).contains("Accuracy on the 30 rows held out: ");
    JsonNode last = reports().get(reports().size() - 1);
    assertThat(last.path("trainerStatus").path("progressPercentage").asInt()).isEqualTo(100);
    assertThat(metric(last, "state")).hasValue("completed");
  }

  /** Runs to the end, which has to be a good one, and returns what the program printed. */
  private String run(String... what) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                JAVA, "-jar", CLI.toString(), "run", "--no-page", "--record", record().toString()));
    command.addAll(Arrays.asList(what));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    builder.environment().put("WAYMARK_STATE_DIR", folder.resolve("state").toString());
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(5, TimeUnit.MINUTES);
      String err = new String(Files.readAllBytes(folder.resolve("err")));
      assertThat(ended).as(err).isTrue();
      assertThat(process.exitValue()).as(err).isZero();
      assertThat(err).contains("[waymark] completed, ").contains("program exited with 0");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new String(Files.readAllBytes(folder.resolve("out")));
  }

  private List<JsonNode> reports() throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<JsonNode> reports = new ArrayList<>();
    for (String line : Files.readAllLines(record())) {
      reports.add(json.readTree(line));
    }
    assertThat(reports).as("reports").isNotEmpty();
    return reports;
  }

  private Path record() {
    return folder.resolve("record.jsonl");
  }

  /** Those that are known: a loop of unknown length has none. */
  private static List<Integer> percents(List<JsonNode> reports) {
    return reports.stream()
        .map(report -> report.path("trainerStatus").path("progressPercentage"))
        .filter(JsonNode::isInt)
        .map(JsonNode::asInt)
        .collect(Collectors.toList());
  }

  private static double number(JsonNode report, String name) {
    return metric(report, name).map(Double::parseDouble).orElse(Double.NaN);
  }

  private static Optional<String> metric(JsonNode report, String name) {
    for (JsonNode metric : report.path("trainerStatus").path("metrics")) {
      if (metric.path("name").asText().equals(name)) {
        return Optional.of(metric.path("value").asText());
      }
    }
    return Optional.empty();
  }

  private static Path absolute(String path) {
    return Paths.get(path).toAbsolutePath().normalize();
  }
}
