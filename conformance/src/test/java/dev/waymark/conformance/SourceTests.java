package dev.waymark.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The test methods in the sources of all modules: most modules are built after this one. */
final class SourceTests {

  private static final Pattern NAME = Pattern.compile("([A-Z]\\w*)#(\\w+)");

  private static final Pattern TEST =
      Pattern.compile("^  @ParameterizedTest\\b", Pattern.MULTILINE);

  private final List<Path> sources;

  private SourceTests(List<Path> sources) {
    this.sources = sources;
  }

  static SourceTests under(Path root) {
    try (Stream<Path> modules = Files.list(root)) {
      return new SourceTests(
          modules
              .map(module -> module.resolve("src/test/java"))
              .filter(Files::isDirectory)
              .flatMap(SourceTests::javaFiles)
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether {@code Class#method} is a JUnit test of some module that takes its cases from the list
   * of known differences, so that each entry which names it is an argument of a run.
   */
  boolean holdValues(String test) {
    Matcher name = NAME.matcher(test);
    if (!name.matches()) {
      return false;
    }
    return sources.stream()
        .filter(file -> file.endsWith(name.group(1) + ".java"))
        .map(SourceTests::text)
        .anyMatch(
            source -> isTest(source, name.group(2)) && source.contains("heldBy(\"" + test + "\")"));
  }

  /** By the source's layout: after the end of the member before it comes a test's annotation. */
  private static boolean isTest(String source, String method) {
    int declaration = source.indexOf(" void " + method + "(");
    if (declaration < 0) {
      return false;
    }
    String before = source.substring(0, declaration);
    return TEST.matcher(before.substring(before.lastIndexOf("\n  }\n") + 1)).find();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
