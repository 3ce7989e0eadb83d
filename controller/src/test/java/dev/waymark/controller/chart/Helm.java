package dev.waymark.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.testbed.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The real helm (and kubectl), and the chart that it is to handle. */
final class Helm {

  static final Path CHART = Path.of("../charts/waymark");

  private static final long LIMIT_SECONDS = 120;

  /**
   * How a command ended.
   *
   * @param errors what it said on stderr
   */
  record Outcome(int status, String output, String errors) {}

  /** What helm's arguments come after. */
  private final List<String> program;

  private final Path folder;

  /** Null: there is no cluster. */
  private final Path kubeconfig;

  /**
   * Makes one that knows no cluster.
   *
   * @param folder for what it remembers and for files in passing
   */
  Helm(Path folder) {
    this(folder, null);
  }

  Helm(Path folder, Path kubeconfig) {
    this(List.of(Tool.HELM.path().toString()), folder, kubeconfig);
  }

  private Helm(List<String> program, Path folder, Path kubeconfig) {
    this.program = program;
    this.folder = folder;
    this.kubeconfig = kubeconfig;
  }

  /** One of the third version, which knows the flags of {@link Helm3Program}. */
  static Helm three(Path folder, Path kubeconfig) {
    List<String> program =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Helm3Program.class.getName());
    return new Helm(program, folder, kubeconfig);
  }

  /** The files of values that come with the chart. */
  static Stream<Path> valuesFiles() {
    try (Stream<Path> files = Files.list(CHART.resolve("ci"))) {
      return files.sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Renders the chart as release {@code waymark} in namespace {@code kubeflow-system}. */
  Manifest template(String... arguments) {
    return Manifest.of(
        succeed(command("template", List.of("--namespace", "kubeflow-system"), arguments)));
  }

  Outcome tryTemplate(String... arguments) {
    return run(program, command("template", List.of(), arguments));
  }

  /** Installs the chart, and returns the notes. */
  String install(String namespace, String... arguments) {
    return succeed(command("install", List.of("--namespace", namespace), arguments));
  }

  void upgrade(String namespace, String... arguments) {
    succeed(command("upgrade", List.of("--namespace", namespace), arguments));
  }

  private static List<String> command(String verb, List<String> more, String... arguments) {
    List<String> command = new ArrayList<>(List.of(verb, "waymark", CHART.toString()));
    command.addAll(more);
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs helm and returns what it printed. */
  String succeed(List<String> arguments) {
    return succeed(program, arguments);
  }

  /** Runs kubectl on the same cluster and returns what it printed. */
  String kubectl(List<String> arguments) {
    return succeed(List.of(Tool.KUBECTL.path().toString()), arguments);
  }

  private String succeed(List<String> begin, List<String> arguments) {
    Outcome outcome = run(begin, arguments);
    assertThat(outcome.status()).as("%s: %s", arguments, outcome.errors()).isZero();
    return outcome.output();
  }

  private Outcome run(List<String> begin, List<String> arguments) {
    List<String> command = new ArrayList<>(begin);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    // Nothing of the user's.
    builder.environment().keySet().removeIf(name -> name.startsWith("HELM_"));
    for (String kind : List.of("HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME")) {
      builder.environment().put(kind, folder.resolve(kind).toString());
    }
    builder.environment().put("KUBECACHEDIR", folder.resolve("kubectl").toString());
    builder.environment().put("KUBECONFIG", String.valueOf(kubeconfig));
    try {
      Path output = Files.createTempFile(folder, "output", "");
      Path errors = Files.createTempFile(folder, "errors", "");
      Process process =
          builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
      try {
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
            .as("%s ends", command)
            .isTrue();
      } finally {
        process.destroyForcibly();
      }
      return new Outcome(
          process.exitValue(), Files.readString(output), Files.readString(errors).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
