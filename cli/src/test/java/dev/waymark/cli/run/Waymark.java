package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The {@code waymark} command as a process of its own, its output in files or at a terminal. */
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

  /**
   * Starts it from the packaged jar at a terminal of its own, whose screen is {@link #out()}. Needs
   * the {@code script} of util-linux, which makes the terminal and ends as the command does.
   */
  static Waymark startAtTerminal(Path folder, int lines, int columns, List<String> arguments)
      throws IOException {
    String command =
        command(folder, List.of("-jar", CLI_JAR), arguments).stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    return start(
        folder,
        List.of(
            "script",
            "--quiet",
            "--return",
            "--command",
            "stty rows " + lines + " cols " + columns + " && exec " + command,
            "/dev/null"),
        Map.of("TERM", "xterm", "SHELL", "/bin/sh", "LC_ALL", "C.UTF-8"));
  }

  private static Waymark start(Path folder, List<String> what, List<String> arguments)
      throws IOException {
    return start(folder, command(folder, what, arguments), Map.of());
  }

  private static List<String> command(Path folder, List<String> what, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(JAVA);
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Dwaymark.agent=" + MarkingAgent.jarIn(folder));
    command.addAll(what);
    command.addAll(arguments);
    return command;
  }

  private static Waymark start(Path folder, List<String> command, Map<String, String> variables)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    builder.environment().put("WAYMARK_STATE_DIR", folder.resolve("state").toString());
    builder.environment().remove("WAYMARK_INTERVAL");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(variables);
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
