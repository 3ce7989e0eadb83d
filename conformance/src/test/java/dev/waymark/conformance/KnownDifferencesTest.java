package dev.waymark.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.waymark.conformance.EntryRules.Classified;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Differences from upstream are few, each on purpose, and each held by a test. */
class KnownDifferencesTest {

  private static final Map<String, Classified> CLASSIFICATION =
      EntryRules.classification(ConformanceFolder.PATH.resolve("classification.yaml"));

  private static final Set<String> CASES =
      GoldenCase.all().stream().map(GoldenCase::name).collect(Collectors.toSet());

  private static final SourceTests TESTS = SourceTests.under(ConformanceFolder.PATH.resolve(".."));

  private static final String PATH = "after-0: JobSet/demo.spec.suspend";
  private static final String TEST = "ConformanceIT#showsTheRightValue";

  @Test
  void everyEntryIsAsItMustBe() {
    List<KnownDifference> all = KnownDifference.all();
    EntryRules rules = new EntryRules(CASES, CLASSIFICATION, all, TESTS::holdValues);

    assertThat(all)
        .flatExtracting(
            entry -> rules.problems(entry).stream().map(it -> entry + ": " + it).toList())
        .isEmpty();
  }

  @Test
  void noEntryStandsTwice() {
    assertThat(KnownDifference.all()).doesNotHaveDuplicates();
  }

  @Test
  void aTestThatNoEntryNamesGetsNone() {
    assertThatThrownBy(() -> KnownDifference.heldBy("SomeTest#works"))
        .hasMessage("no known difference names the test SomeTest#works");
  }

  /** Whether each entry is needed, too, only a comparison can tell: compare.py --needed. */
  @Test
  void whatIsNotComparedHasAReasonAndNamesACaseOrAPartOfManyObjects() {
    List<String> names = new ArrayList<>(CASES);
    names.add(null);

    assertThat(NotCompared.readAll(ConformanceFolder.PATH.resolve("not-compared.yaml")))
        .isNotEmpty()
        .allSatisfy(
            entry -> {
              assertThat(entry.reason()).isNotBlank();
              assertThat(entry.path()).matches(entry.goldenCase() == null ? "\\*<.+>" : ".*[^*].*");
              assertThat(entry.goldenCase()).isIn(names);
            });
  }

  @Test
  void classificationNamesCasesOnly() {
    assertThat(CLASSIFICATION.keySet()).isSubsetOf(CASES);
    assertThat(CLASSIFICATION.values())
        .extracting(Classified::type)
        .containsOnly("match", "bug", "mixed", "random", "environment");
  }

  /** Theirs are the entries that tell whose bug it is. */
  @Test
  void casesThatShowTheBugOfAnotherStayToMatch() {
    assertThat(KnownDifference.all())
        .filteredOn(entry -> entry.shows() != null)
        .extracting(KnownDifference::goldenCase)
        .containsOnly(
            "init-refused", "init-volume-claim-policies", "mpi-refused", "ref-unsupported-kind");
  }

  @ParameterizedTest
  @MethodSource("goodEntries")
  void aGoodEntryIsAccepted(KnownDifference entry) {
    assertThat(problems(entry)).isEmpty();
  }

  static Stream<KnownDifference> goodEntries() {
    return Stream.of(
        entry("deadline", PATH, TEST),
        entry("deadline", "after-12: JobSet/demo.spec.replicatedJobs[[]node].template", TEST),
        entry(
            "deadline",
            "after-1: answer to 'merge TrainJob demo {\"spec\":{\"suspend\":true}}'",
            TEST),
        entry("deadline", "create: trainjobs demo", TEST),
        showing("torch-default", "#1", "deadline"),
        showing("ref-unsupported-kind", "#1", "#4087"));
  }

  @ParameterizedTest
  @MethodSource("badEntries")
  void aBadEntryIsRefused(KnownDifference entry, String problem) {
    assertThat(problems(entry)).singleElement().asString().contains(problem);
  }

  static Stream<Arguments> badEntries() {
    return Stream.of(
        arguments(entry("*", PATH, TEST), "case * does not exist"),
        arguments(entry(null, PATH, TEST), "case null does not exist"),
        arguments(entry("torch-*", PATH, TEST), "case torch-* does not exist"),
        arguments(entry("torch-default", PATH, TEST), "is of class match"),
        arguments(entry("crd-limits", PATH, TEST), "is of class environment"),
        arguments(entry("xgboost-user-env", PATH, TEST), "is of class random"),
        arguments(showing("xgboost-user-env", "#1", "deadline"), "is of class random"),
        arguments(showing("deadline", "#1", "deadline"), "drop shows"),
        arguments(showing("torch-default", "#1", "torch-default"), "shows torch-default: neither"),
        arguments(showing("torch-default", "#1", "no-such-case"), "shows no-such-case: neither"),
        arguments(showing("torch-default", "#2", "deadline"), "shows deadline: neither"),
        arguments(showing("torch-default", "#1", "#4087"), "shows #4087: neither"),
        arguments(showing("ref-unsupported-kind", "#1", "#4088"), "shows #4088: neither"),
        arguments(entry("deadline", "*", TEST), "path '*' is not a file"),
        arguments(entry("deadline", "*.status.conditions", TEST), "is not a file"),
        arguments(entry("deadline", "after-0: *", TEST), "is not a file"),
        arguments(entry("deadline", "after-0: [JT]obSet/demo", TEST), "is not a file"),
        arguments(entry("deadline", "after-*: JobSet/demo", TEST), "is not a file"),
        arguments(entry("deadline", "after-0: JobSet/demo.spec*", TEST), "is not a file"),
        arguments(entry("deadline", "after-0: JobSet/dem?", TEST), "is not a file"),
        arguments(entry("deadline", "after-0: x.env[A]", TEST), "is not a file"),
        arguments(entry("deadline", null, TEST), "path 'null' is not a file"),
        arguments(valued(null, true), "a value is missing"),
        arguments(valued(true, null), "a value is missing"),
        arguments(valued(true, true), "both values are true"),
        arguments(entry("deadline", PATH, null), "test null does not hold the value"),
        arguments(entry("deadline", PATH, "NoSuchTest#works"), "does not hold the value"),
        arguments(entry("deadline", PATH, "KnownDifferencesTest"), "does not hold the value"),
        arguments(entry("deadline", PATH, "ConformanceIT#results"), "does not hold the value"),
        arguments(
            entry("deadline", PATH, "ConformanceIT#doesWhatUpstreamDid"),
            "does not hold the value"),
        arguments(
            entry("deadline", PATH, "KnownDifferencesTest#aBadEntryIsRefused"),
            "does not hold the value"),
        arguments(
            new KnownDifference("deadline", PATH, false, true, " ", TEST, null), "no reason"));
  }

  private static KnownDifference entry(String goldenCase, String path, String test) {
    return new KnownDifference(goldenCase, path, false, true, "#1", test, null);
  }

  private static KnownDifference showing(String goldenCase, String reason, String shows) {
    return new KnownDifference(goldenCase, PATH, false, true, reason, TEST, shows);
  }

  private static KnownDifference valued(Object upstream, Object waymark) {
    return new KnownDifference("deadline", PATH, upstream, waymark, "#1", TEST, null);
  }

  private static List<String> problems(KnownDifference entry) {
    return new EntryRules(
            CASES, CLASSIFICATION, List.of(entry("deadline", PATH, TEST)), TESTS::holdValues)
        .problems(entry);
  }
}
