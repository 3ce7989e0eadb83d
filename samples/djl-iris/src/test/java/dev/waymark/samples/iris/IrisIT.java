package dev.waymark.samples.iris;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.samples.testing.Outcome;
import dev.waymark.samples.testing.SampleJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar as its users run it, with fewer epochs. */
class IrisIT {
  private static final String ACCURACY = "Accuracy on the 30 rows held out";

  @TempDir private Path folder;
  private SampleJar sample;

  @BeforeEach
  void findTheJar() {
    sample = SampleJar.of("djl-iris.jar", folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "easytrain", "loop", "listener"})
  void trainsToMoreThan93Percent(String program) throws Exception {
    Outcome run =
        program.isEmpty()
            ? sample.alone("--epochs", "60")
            : sample.alone(program, "--epochs", "60");

    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.printed(ACCURACY)).isGreaterThan(93);
  }

  @Test
  void goesOnFromItsCheckpoint() throws Exception {
    assertThat(sample.alone("listener", "--epochs", "3", "--checkpoints", "saved").output())
        .contains("Epochs done before: 0");
    assertThat(filesIn("saved")).containsExactly("iris-0003.params");

    assertThat(sample.alone("listener", "--epochs", "5", "--checkpoints", "saved").output())
        .contains("Epochs done before: 3");
    assertThat(filesIn("saved")).containsExactly("iris-0005.params");

    Outcome done = sample.alone("listener", "--epochs", "5", "--checkpoints", "saved");
    assertThat(done.exitCode()).as(done.errors()).isZero();
    assertThat(done.output()).contains("Epochs done before: 5").contains(ACCURACY);
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
    sample.refuses(complaint, arguments.split(" "));
  }

  private List<String> filesIn(String name) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve(name))) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toList());
    }
  }
}
