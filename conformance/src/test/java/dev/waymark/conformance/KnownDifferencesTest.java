package dev.waymark.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Differences from upstream are few, each on purpose, and each proven by a test of its own. */
class KnownDifferencesTest {

  private static final SourceTests TESTS = SourceTests.under(ConformanceFolder.PATH.resolve(".."));

  private static final Map<String, String> CLASSES =
      KnownDifference.classes(ConformanceFolder.PATH.resolve("classification.yaml"));

  private static final String GOOD_PATH = "after-0: JobSet/demo.spec.suspend";
  private static final String GOOD_TEST =
      "KnownDifferencesTest#everyEntryNamesOneCaseOnePathAndATest";

  @Test
  void everyEntryNamesOneCaseOnePathAndATest() {
    assertThat(KnownDifference.readAll(ConformanceFolder.PATH.resolve("known-differences.yaml")))
        .flatExtracting(
            entry ->
                problems(entry).stream()
                    .map(problem -> entry.goldenCase() + ", " + entry.path() + ": " + problem)
                    .toList())
        .isEmpty();
  }

  @Test
  void classificationNamesCasesOnly() {
    List<String> names = GoldenCase.all().stream().map(GoldenCase::name).toList();
    assertThat(CLASSES.keySet()).isSubsetOf(names);
    assertThat(CLASSES.values()).containsOnly("match", "bug", "mixed", "random", "environment");
  }

  @Test
  void aGoodEntryIsAccepted() {
    assertThat(problems(new KnownDifference("deadline", GOOD_PATH, "#1", GOOD_TEST))).isEmpty();
    assertThat(
            problems(
                new KnownDifference("deadline", "after-*: TrainJob/short.status", "#1", GOOD_TEST)))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("badEntries")
  void aBadEntryIsRefused(KnownDifference entry, String problem) {
    assertThat(problems(entry)).singleElement().asString().contains(problem);
  }

  static Stream<Arguments> badEntries() {
    return Stream.of(
        arguments(entry("*", GOOD_PATH, GOOD_TEST), "case * does not exist"),
        arguments(entry(null, GOOD_PATH, GOOD_TEST), "case null does not exist"),
        arguments(entry("torch-*", GOOD_PATH, GOOD_TEST), "case torch-* does not exist"),
        arguments(entry("torch-default", GOOD_PATH, GOOD_TEST), "is of class match"),
        arguments(entry("crd-limits", GOOD_PATH, GOOD_TEST), "is of class environment"),
        arguments(entry("xgboost-user-env", GOOD_PATH, GOOD_TEST), "is of class random"),
        arguments(entry("deadline", "*", GOOD_TEST), "path '*' does not begin"),
        arguments(entry("deadline", "*.status.conditions", GOOD_TEST), "does not begin"),
        arguments(entry("deadline", "after-0: *", GOOD_TEST), "does not begin"),
        arguments(entry("deadline", "after-0: [JT]*", GOOD_TEST), "does not begin"),
        arguments(entry("deadline", null, GOOD_TEST), "path 'null' does not begin"),
        arguments(entry("deadline", GOOD_PATH, null), "test null does not exist"),
        arguments(entry("deadline", GOOD_PATH, "NoSuchTest#works"), "does not exist"),
        arguments(entry("deadline", GOOD_PATH, "KnownDifferencesTest"), "does not exist"),
        arguments(entry("deadline", GOOD_PATH, "KnownDifferencesTest#entry"), "does not exist"),
        arguments(new KnownDifference("deadline", GOOD_PATH, " ", GOOD_TEST), "no reason"));
  }

  private static KnownDifference entry(String goldenCase, String path, String test) {
    return new KnownDifference(goldenCase, path, "#1", test);
  }

  private static List<String> problems(KnownDifference entry) {
    List<String> names = GoldenCase.all().stream().map(GoldenCase::name).toList();
    return entry.problems(names::contains, CLASSES, TESTS::contain);
  }
}
