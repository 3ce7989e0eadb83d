package dev.waymark.cli.cluster.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of each report in docs/COMPATIBILITY.md a test is named, and it is there. */
class ReportedElsewhereTest {

  private static final Path ROOT = Path.of("../../..").toAbsolutePath().normalize();
  private static final String SECTION = "## What people have reported of other clients";
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");

  private static final List<Path> SOURCES = sources();

  static Stream<String> reports() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/COMPATIBILITY.md"));
    return page.substring(page.indexOf(SECTION))
        .lines()
        .filter(line -> line.startsWith("| ") && line.contains("#"));
  }

  @ParameterizedTest
  @MethodSource("reports")
  void hasATest(String row) {
    String[] cells = row.split("\\|", -1);
    Matcher tests = TEST.matcher(cells[cells.length - 2]);

    assertThat(tests.find()).as(row).isTrue();
    do {
      Pattern method = Pattern.compile("\\s" + tests.group(2) + "\\(");
      assertThat(sourcesOf(tests.group(1)))
          .as(tests.group())
          .anySatisfy(source -> assertThat(source).containsPattern(method));
    } while (tests.find());
  }

  /** There may be several of a name, in different modules. */
  private static List<String> sourcesOf(String test) {
    return SOURCES.stream()
        .filter(file -> file.endsWith(test + ".java"))
        .map(ReportedElsewhereTest::read)
        .toList();
  }

  private static List<Path> sources() {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files.filter(file -> file.toString().contains("/src/test/java/")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
