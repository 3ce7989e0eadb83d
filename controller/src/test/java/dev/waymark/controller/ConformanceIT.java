package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.conformance.ConformanceFolder;
import dev.waymark.conformance.KnownDifference;
import dev.waymark.testbed.NeedsTestbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The built controller on a real API server with the real JobSet controller does what upstream's
 * did, but for {@code conformance/known-differences.yaml}. Results and logs stay in {@code
 * target/conformance}.
 */
@NeedsTestbed
class ConformanceIT {

  /** Policies that this version refuses. */
  private static final String REFUSED_POLICIES =
      ",!flux-*,!coscheduling-*,!volcano-*,!gang-both,!torchtune-*";

  /** Other words, and another order where it says nothing, are no difference. */
  private static final Set<String> DIFFERENCES = Set.of("CODE", "MISSING", "EXTRA", "VALUE");

  private static final Duration START_LIMIT = Duration.ofMinutes(5);

  private static final Path ROOT = ConformanceFolder.PATH.getParent();
  private static final Path RESULTS = ROOT.resolve("controller/target/conformance");

  enum Variant {
    AS_SHIPPED("expected"),
    WITHOUT_GATE("expected-variants/no-gate", "--no-gate"),
    WITHOUT_WEBHOOKS("expected-variants/no-webhooks", "--no-webhooks");

    private final Path expected;
    private final List<String> options;

    Variant(String expected, String... options) {
      this.expected = ConformanceFolder.PATH.resolve(expected);
      this.options = List.of(options);
    }

    /** Those that were recorded for this variant, for the tools' {@code --cases}. */
    String cases() {
      try (Stream<Path> folders = Files.list(expected)) {
        return folders
            .map(folder -> folder.getFileName().toString())
            .collect(Collectors.joining(",", "", REFUSED_POLICIES));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What compare.py found, in all variants. */
  private static JsonNode report;

  @BeforeAll
  static void runAndCompare() throws IOException {
    // Most cases are of the first variant, and wait most of the time; but the machine is to be
    // theirs until no seconds count any more.
    Path shared = RESULTS.resolve("shared");
    Files.deleteIfExists(shared);
    CompletableFuture<Path> first =
        CompletableFuture.supplyAsync(
            () -> run(Variant.AS_SHIPPED, "--tell-shared", shared.toString()));
    await().atMost(START_LIMIT).until(() -> first.isDone() || Files.exists(shared));
    List<String> folders = new ArrayList<>();
    for (Variant variant : List.of(Variant.WITHOUT_GATE, Variant.WITHOUT_WEBHOOKS)) {
      folders.add(variant.expected.toString());
      folders.add(run(variant).toString());
    }
    folders.addAll(0, List.of(Variant.AS_SHIPPED.expected.toString(), first.join().toString()));
    Path differences = RESULTS.resolve("differences.json");
    List<String> compare = command("compare.py", folders.toArray(new String[0]));
    compare.addAll(
        List.of(
            "--known",
            ConformanceFolder.PATH.resolve("known-differences.yaml").toString(),
            "--needed",
            "--cases",
            "*" + REFUSED_POLICIES,
            "--json",
            differences.toString()));
    // It fails where there are differences, and they are in its report.
    execute(compare, RESULTS.resolve("differences.txt"));
    report = JSON.readTree(differences.toFile());
  }

  /** Leads the controller through the cases of a variant; returns the folder of the results. */
  private static Path run(Variant variant, String... more) {
    Path out = RESULTS.resolve(variant.name());
    List<String> run =
        command(
            "run.py",
            "--controller-cmd",
            ROOT.resolve("controller/target/waymark-controller") + " --config {config}",
            "--rbac",
            ROOT.resolve("charts/waymark/files/cluster-role.yaml").toString(),
            "--cases",
            variant.cases(),
            "--out",
            out.toString(),
            "--keep-logs",
            RESULTS.resolve(variant + "-logs").toString());
    run.addAll(variant.options);
    run.addAll(List.of(more));
    Path log = RESULTS.resolve(variant + "-run.log");
    assertThat(execute(run, log))
        .as(() -> "run.py said in %s:%n%s".formatted(log, text(log)))
        .isZero();
    return out;
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("results")
  void doesWhatUpstreamDid(Variant variant, String name, List<String> differences) {
    assertThat(differences).isEmpty();
  }

  static Stream<Arguments> results() {
    return Stream.of(Variant.values())
        .flatMap(
            variant ->
                report.at("/folders/" + variant.ordinal() + "/cases").properties().stream()
                    .map(it -> Arguments.of(variant, it.getKey(), differences(it.getValue()))));
  }

  private static List<String> differences(JsonNode ofCase) {
    return StreamSupport.stream(ofCase.spliterator(), false)
        .filter(difference -> DIFFERENCES.contains(difference.get("kind").textValue()))
        .map(ConformanceIT::describe)
        .toList();
  }

  /**
   * What only the parts of a cluster together make: states, Jobs, pods, events, what is left out.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void showsTheRightValue(KnownDifference known) {
    JsonNode upstream = JSON.valueToTree(known.upstream());
    JsonNode waymark = JSON.valueToTree(known.waymark());

    assertThat(report.get("known"))
        .filteredOn(seen -> seen.get("case").textValue().equals(known.goldenCase()))
        .filteredOn(seen -> seen.get("path").textValue().equals(known.plainPath()))
        .anySatisfy(
            seen -> {
              assertThat(seen.get("expected")).isEqualTo(upstream);
              assertThat(seen.get("got")).isEqualTo(waymark);
            });
  }

  static Stream<KnownDifference> showsTheRightValue() {
    return KnownDifference.heldBy("ConformanceIT#showsTheRightValue").stream();
  }

  /** An entry of the lists that nothing needs any more would hide the next difference. */
  @Test
  void everyEntryOfTheListsOfDifferencesIsNeeded() {
    assertThat(report.get("unneeded")).isNotNull().isEmpty();
  }

  private static List<String> command(String script, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(ConformanceFolder.PATH.resolve("harness").resolve(script).toString());
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  private static int execute(List<String> command, Path log) {
    try {
      Files.createDirectories(log.getParent());
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(log.toFile())
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new IllegalStateException("cannot run " + command.get(0), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + command.get(0) + " ran", e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String describe(JsonNode difference) {
    return "%s %s%n  expected %s%n  got      %s"
        .formatted(
            difference.get("kind").textValue(),
            difference.get("path").textValue(),
            difference.get("expected"),
            difference.get("got"));
  }
}
