package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.conformance.ConformanceFolder;
import dev.waymark.testbed.NeedsTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tool that {@link ConformanceIT} goes by, which needs what the harness needs. */
@NeedsTestbed
class CompareIT {

  private static final String LIST = "VALUE after-0: JobSet/demo.spec.env";

  @TempDir Path folder;

  /** Variables as names with their values; a difference on purpose may hide no other. */
  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "A=1 B=2, A=1 B=2, -",
        "A=1 B=2, A=1 B=3, [B].value",
        "A=1 B=2, B=2 A=1, ' (names, in order)'",
        "A=1 B=2, B=3 A=1, ' (names, in order)|[B].value'",
        "A=1 B=2, A=1 B=2 C=3, ' (names, in order)'",
        "A=1 B=2, A=4 B=2 C=3, ' (names, in order)|[A].value'",
        "A=1 A=2 B=3, B=3 A=1 A=4, ' (names, in order)|[A].value'",
      })
  void tellsOtherValuesBesideAnotherOrder(String expected, String got, String differences)
      throws Exception {
    write("expected", expected);
    write("got", got);

    int code = compare();

    assertThat(found())
        .containsExactlyElementsOf(
            differences == null
                ? List.of()
                : List.of(differences.split("\\|", -1)).stream().map(it -> LIST + it).toList());
    assertThat(code).isEqualTo(differences == null ? 0 : 1);
  }

  /** Upstream has A=1, Waymark A=2; the list has one entry, of these values or others. */
  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource({"1, 2, true", "1, 3, false", "3, 2, false", "2, 1, false"})
  void anEntryFitsNothingButItsValues(String upstream, String waymark, boolean fits)
      throws Exception {
    write("expected", "A=1");
    write("got", "A=2");
    Path known = folder.resolve("known.yaml");
    Files.writeString(
        known,
        "[{case: case, path: 'after-0: JobSet/demo.spec.env[[]A].value', upstream: '%s', waymark: '%s'}]"
            .formatted(upstream, waymark));

    int code = compare("--known", known.toString());

    assertThat(code).isEqualTo(fits ? 0 : 1);
    assertThat(found()).hasSize(fits ? 0 : 1);
    assertThat(report().get("known")).hasSize(fits ? 1 : 0);
  }

  /** Returns the exit status; the report is a file then. */
  private int compare(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ConformanceFolder.PATH.resolve("harness/compare.py").toString());
    command.addAll(
        List.of(folder.resolve("expected").toString(), folder.resolve("got").toString()));
    command.addAll(List.of("--json", folder.resolve("report.json").toString()));
    command.addAll(List.of(options));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start()
        .waitFor();
  }

  private List<String> found() throws IOException {
    List<String> found = new ArrayList<>();
    for (JsonNode difference : report().at("/folders/0/cases/case")) {
      found.add(difference.get("kind").textValue() + " " + difference.get("path").textValue());
    }
    return found;
  }

  private JsonNode report() throws IOException {
    Path report = folder.resolve("report.json");
    assertThat(report).as(Files.readString(folder.resolve("output"))).exists();
    return new ObjectMapper().readTree(report.toFile());
  }

  private void write(String side, String variables) throws IOException {
    List<String> env = new ArrayList<>();
    for (String variable : variables.split(" ", -1)) {
      String[] parts = variable.split("=", -1);
      env.add("{\"name\": \"%s\", \"value\": \"%s\"}".formatted(parts[0], parts[1]));
    }
    Path file = Files.createDirectories(folder.resolve(side + "/case")).resolve("after-0.json");
    Files.writeString(file, "{\"objects\": {\"JobSet/demo\": {\"spec\": {\"env\": " + env + "}}}}");
  }
}
