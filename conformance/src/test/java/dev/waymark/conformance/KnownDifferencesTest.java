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

  /** Whether each entry is needed, too, only a comparison can tell: compare.py --needed. */
  @Test
  void whatIsNotComparedHasAReasonAndNamesACaseOrAPartOfManyObjects() {
    List<String> names = GoldenCase.all().stream().map(GoldenCase::name).toList();

    assertThat(NotCompared.readAll(ConformanceFolder.PATH.resolve("not-compared.yaml")))
        .isNotEmpty()
        .allSatisfy(
            entry -> {
              assertThat(entry.reason()).isNotBlank();
              assertThat(entry.path()).matches(entry.goldenCase() == null ? "\\*<.+>" : ".*[^*].*");
              assertThat(entry.goldenCase())
                  .isIn(Stream.concat(names.stream(), Stream.of((String) null)).toList());
            });
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
    for (String path :
        List.of(
            "after-12: JobSet/demo.spec.replicatedJobs[[]node].template",
            "after-1: answer to 'merge TrainJob demo {\"spec\":{\"suspend\":true}}'",
            "create: trainjobs demo")) {
      assertThat(problems(entry("deadline", path, GOOD_TEST))).as(path).isEmpty();
    }
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
        arguments(entry("deadline", "*", GOOD_TEST), "path '*' is not a file"),
        arguments(entry("deadline", "*.status.conditions", GOOD_TEST), "is not a file"),
        arguments(entry("deadline", "after-0: *", GOOD_TEST), "is not a file"),
        arguments(entry("deadline", "after-0: [JT]obSet/demo", GOOD_TEST), "is not a file"),
        arguments(entry("deadline", "after-*: JobSet/demo", GOOD_TEST), "is not a file"),
        arguments(entry("deadline", "after-0: JobSet/demo.spec*", GOOD_TEST), "is not a file"),
        arguments(entry("deadline", "after-0: JobSet/dem?", GOOD_TEST), "is not a file"),
        arguments(entry("deadline", "after-0: x.env[A]", GOOD_TEST), "is not a file"),
        arguments(entry("deadline", null, GOOD_TEST), "path 'null' is not a file"),
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
