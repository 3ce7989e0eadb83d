package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process: what it prints and how it ends. */
class ControllerMainTest {

  /** How a process ended. */
  private record Ended(int code, String output) {}

  @TempDir Path folder;

  @Test
  void printsHelp() throws Exception {
    Ended ended = run("--help");

    assertThat(ended.code()).isZero();
    assertThat(ended.output()).contains("--config FILE", "--cert-dir DIR");
  }

  @Test
  void endsWithEverythingThatIsWrongWithTheFlags() throws Exception {
    Ended ended = run("--confg", "--log-level=loud");

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.output()).contains("unknown flag --confg", "--log-level must be");
  }

  @Test
  void endsWithEverythingThatIsWrongWithTheConfiguration() throws Exception {
    Path file =
        Files.writeString(folder.resolve("c.yaml"), "kind: Configuration\nwebhook: {port: 0}\n");

    Ended ended = run("--config=" + file);

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.output()).contains("apiVersion must be", "c.yaml:2: webhook.port must be");
  }

  @Test
  void endsWhenThereIsNoConfiguration() throws Exception {
    Ended ended = run("--config=" + folder.resolve("absent.yaml"));

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.output()).contains("absent.yaml can't be read");
  }

  private Ended run(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ControllerMain.class.getName()));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(output));
  }
}
