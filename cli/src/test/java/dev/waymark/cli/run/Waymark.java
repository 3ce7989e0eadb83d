package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The {@code waymark} command as a process of its own, its output in files. */
final class Waymark {

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final String CLI_JAR = absolute("target/waymark-cli.jar");
  private static final String TEST_CLASSES = absolute("target/test-classes");

  private final Path folder;
  private final Process process;

  private Waymark(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
  }

  /** What has become of a run. */
  record Ended(int exitCode, String out, String err) {}

  /**
   * Starts it from the packaged jar.
   *
   * @param folder gets output, history and agent
   */
  static Waymark start(Path folder, List<String> arguments) throws IOException {
    return start(folder, List.of("-jar", CLI_JAR), arguments);
  }

  /** Starts a class of the tests instead, beside the packaged jar. */
  static Waymark startClass(Path folder, Class<?> main, List<String> arguments) throws IOException {
    String classPath = CLI_JAR + File.pathSeparator + TEST_CLASSES;
    return start(folder, List.of("-cp", classPath, main.getName()), arguments);
  }

  private static Waymark start(Path folder, List<String> what, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(JAVA);
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Dwaymark.agent=" + MarkingAgent.jarIn(folder));
    command.addAll(what);
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    builder.environment().put("WAYMARK_STATE_DIR", folder.resolve("state").toString());
    builder.environment().remove("WAYMARK_INTERVAL");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    return new Waymark(folder, builder.start());
  }

  /** The command line of a {@link ScriptedProgram}. */
  static List<String> program(String... script) {
    List<String> command =
        new ArrayList<>(
            List.of(
                JAVA,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                TEST_CLASSES,
                ScriptedProgram.class.getName()));
    command.addAll(List.of(script));
    return command;
  }

  void type(String text) throws IOException {
    try (var input = process.outputWriter()) {
      input.write(text);
    }
  }

  /** Sends a signal to the command's own process, and to nothing below it. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
            .redirectError(Redirect.INHERIT)
            .start();
    assertThat(kill.waitFor()).isZero();
  }

  Process process() {
    return process;
  }

  String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  Ended awaitEnd() throws IOException, InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS))
        .as("has ended, having said %s", err())
        .isTrue();
    return new Ended(process.exitValue(), out(), err());
  }

  private static String absolute(String path) {
    return Path.of(path).toAbsolutePath().toString();
  }
}
