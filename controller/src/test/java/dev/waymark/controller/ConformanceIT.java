package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.conformance.ConformanceFolder;
import dev.waymark.testbed.NeedsTestbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
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

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("results")
  void doesWhatUpstreamDid(Variant variant, String name, List<String> differences) {
    assertThat(differences).isEmpty();
  }

  static Stream<Arguments> results() {
    return Stream.of(Variant.values()).flatMap(ConformanceIT::results);
  }

  private static Stream<Arguments> results(Variant variant) {
    Path out = RESULTS.resolve(variant.name());
    Path report = RESULTS.resolve(variant + "-differences.json");
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
    Path log = RESULTS.resolve(variant + "-run.log");
    assertThat(execute(run, log))
        .as(() -> "run.py said in %s:%n%s".formatted(log, text(log)))
        .isZero();

    // It fails where there are differences, and they are in its report.
    execute(
        command(
            "compare.py",
            variant.expected.toString(),
            out.toString(),
            "--known",
            ConformanceFolder.PATH.resolve("known-differences.yaml").toString(),
            "--cases",
            variant.cases(),
            "--json",
            report.toString()),
        RESULTS.resolve(variant + "-differences.txt"));
    return differences(report).entrySet().stream()
        .map(result -> Arguments.of(variant, result.getKey(), result.getValue()));
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

  /** By case, and empty where nothing differs. */
  private static Map<String, List<String>> differences(Path report) {
    try {
      Map<String, List<String>> differences = new TreeMap<>();
      for (Map.Entry<String, JsonNode> golden :
          new ObjectMapper().readTree(report.toFile()).properties()) {
        differences.put(
            golden.getKey(),
            StreamSupport.stream(golden.getValue().spliterator(), false)
                .filter(difference -> DIFFERENCES.contains(difference.get("kind").textValue()))
                .map(ConformanceIT::describe)
                .toList());
      }
      return differences;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
