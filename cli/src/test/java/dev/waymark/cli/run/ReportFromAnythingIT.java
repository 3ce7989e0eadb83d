package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The programs on the page docs/REPORT-FROM-ANYTHING.md, word for word, under {@code waymark run}.
 */
class ReportFromAnythingIT {

  private static final Path PAGE = Path.of("../docs/REPORT-FROM-ANYTHING.md");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"sh, report.sh, sh", "java, Report.java, java"})
  void aProgramOfThePageReports(String language, String file, String interpreter)
      throws IOException, InterruptedException {
    Path program = Files.writeString(folder.resolve(file), block(language));
    Path record = folder.resolve("record.jsonl");

    List<String> command = new ArrayList<>(List.of("run", "--no-page", "--record"));
    command.addAll(List.of(record.toString(), "--", interpreter(interpreter), program.toString()));
    Waymark.Ended ended = Waymark.start(folder, command).awaitEnd();

    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("42%");
    JsonNode status = new ObjectMapper().readTree(Files.readString(record)).get("trainerStatus");
    assertThat(status.get("progressPercentage").intValue()).isEqualTo(42);
    assertThat(status.get("estimatedRemainingSeconds").intValue()).isEqualTo(90);
    assertThat(new ObjectMapper().convertValue(status.at("/metrics/0"), Map.class))
        .isEqualTo(Map.of("name", "loss", "value", "0.31"));
  }

  private static String interpreter(String name) {
    return name.equals("java")
        ? Path.of(System.getProperty("java.home"), "bin", "java").toString()
        : name;
  }

  /** The page's one block in this language. */
  private static String block(String language) throws IOException {
    Matcher blocks =
        Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    assertThat(blocks.find()).as("a block in " + language).isTrue();
    String block = blocks.group(1);
    assertThat(blocks.find()).as("a second block in " + language).isFalse();
    return block;
  }
}
