package dev.waymark.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** The scripts of the folder {@code testbed}, and what the environment says about their use. */
final class Testbed {

  /** Names the kubeconfig of a cluster to use instead of one of the testbed's. */
  static final String KUBECONFIG = "WAYMARK_TESTBED_KUBECONFIG";

  /** {@code required}: tests fail where the testbed isn't built. Else they are skipped. */
  static final String MODE = "WAYMARK_TESTBED";

  private static final AtomicInteger own = new AtomicInteger();

  private final Path scripts;

  private Testbed(Path scripts) {
    this.scripts = scripts;
  }

  /** The testbed of the source tree that the working folder is in. */
  static Testbed ofThisCheckout() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isExecutable(folder.resolve("testbed/up"))) {
        return new Testbed(folder.resolve("testbed"));
      }
    }
    throw new IllegalStateException(
        "no testbed/up above " + Path.of("").toAbsolutePath() + ": tests run in the source tree");
  }

  boolean isBuilt() {
    return execute("build", "--check").status() == 0;
  }

  /** The cluster that all JVMs of a build share; the first caller waits until it is up. */
  Cluster shared() {
    String existing = System.getenv(KUBECONFIG);
    if (existing != null) {
      return new Cluster(this, null, Path.of(existing));
    }
    long build = Build.process().pid();
    return up("build-" + build, build);
  }

  Cluster startOwn() {
    long jvm = ProcessHandle.current().pid();
    return up("jvm-" + jvm + "-" + own.incrementAndGet(), jvm);
  }

  private Cluster up(String name, long owner) {
    String kubeconfig = run("up", "--name", name, "--until-exit", Long.toString(owner));
    return new Cluster(this, name, Path.of(kubeconfig));
  }

  /**
   * Runs a script and returns what it printed.
   *
   * @throws IllegalStateException if it fails; the message is what it said
   */
  String run(String script, String... arguments) {
    Outcome outcome = execute(script, arguments);
    if (outcome.status() != 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "testbed/%s %s failed:%n%s",
              script,
              String.join(" ", arguments),
              outcome.errors()));
    }
    return outcome.output();
  }

  private record Outcome(int status, String output, String errors) {}

  private Outcome execute(String script, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(scripts.resolve(script).toString());
    command.addAll(Arrays.asList(arguments));
    try {
      // Into files: what the script starts in the background would hold pipes open.
      Path output = Files.createTempFile("testbed", ".out");
      Path errors = Files.createTempFile("testbed", ".err");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        int status = process.waitFor();
        return new Outcome(status, text(output), text(errors));
      } finally {
        Files.delete(output);
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while testbed/" + script + " ran", e);
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8).strip();
  }
}
