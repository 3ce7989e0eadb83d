package dev.waymark.samples.iris;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar as its users run it, with fewer epochs. */
class IrisIT {
  private static final Pattern ACCURACY =
      Pattern.compile("Accuracy on the 30 rows held out: ([0-9.]+) %");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", "easytrain", "loop", "listener"})
  void trainsToMoreThan93Percent(String program) throws Exception {
    Run run = program.isEmpty() ? run("--epochs", "60") : run(program, "--epochs", "60");

    assertThat(run.exitCode).as(run.errors).isZero();
    Matcher accuracy = ACCURACY.matcher(run.output);
    assertThat(accuracy.find()).as(run.output).isTrue();
    assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThan(93);
  }

  @Test
  void goesOnFromItsCheckpoint() throws Exception {
    assertThat(run("listener", "--epochs", "3", "--checkpoints", "saved").output)
        .contains("Epochs done before: 0");
    assertThat(filesIn("saved")).containsExactly("iris-0003.params");

    assertThat(run("listener", "--epochs", "5", "--checkpoints", "saved").output)
        .contains("Epochs done before: 3");
    assertThat(filesIn("saved")).containsExactly("iris-0005.params");

    Run done = run("listener", "--epochs", "5", "--checkpoints", "saved");
    assertThat(done.exitCode).as(done.errors).isZero();
    assertThat(done.output).contains("Epochs done before: 5").containsPattern(ACCURACY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "train|don't know what to do with 'train'",
        "loop easytrain|don't know what to do with 'easytrain'",
        "loop --epochs|--epochs needs a value",
        "--epochs 0|--epochs must be a whole number from 1 to 9999, got '0'",
        "--epochs ten|--epochs must be a whole number from 1 to 9999, got 'ten'",
      })
  void refusesArgumentsThatMakeNoSense(String arguments, String complaint) throws Exception {
    Run run = run(arguments.split(" "));

    assertThat(run.exitCode).isEqualTo(2);
    assertThat(run.errors)
        .contains("djl-iris: " + complaint + "\nusage: java -jar djl-iris.jar")
        .doesNotContain("Exception");
    assertThat(run.output).isEmpty();
  }

  private List<String> filesIn(String name) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve(name))) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toList());
    }
  }

  private Run run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-jar");
    command.add(Path.of("target", "djl-iris.jar").toAbsolutePath().toString());
    command.addAll(Arrays.asList(arguments));
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    return new Run(process.waitFor(), Files.readString(output), Files.readString(errors));
  }

  private static final class Run {
    final int exitCode;
    final String output;
    final String errors;

    Run(int exitCode, String output, String errors) {
      this.exitCode = exitCode;
      this.output = output;
      this.errors = errors;
    }
  }
}
