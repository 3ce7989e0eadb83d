package dev.waymark.samples.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.samples.testing.Outcome;
import dev.waymark.samples.testing.SampleJar;
import java.nio.file.Path;
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
    sample = SampleJar.of("dl4j-iris.jar", folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "cg", "samediff"})
  void trainsToMoreThan90Percent(String program) throws Exception {
    Outcome run =
        program.isEmpty()
            ? sample.alone("--epochs", "60")
            : sample.alone(program, "--epochs", "60");

    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.printed(ACCURACY)).isGreaterThan(90);
  }

  @Test
  void trainsOnWithItsModel() throws Exception {
    assertThat(sample.alone("resume", "--epochs", "3").printed("Epochs done before")).isZero();
    assertThat(folder.resolve("iris-models/iris.zip")).exists();

    assertThat(sample.alone("resume", "--epochs", "5").printed("Epochs done before")).isEqualTo(3);

    Outcome done = sample.alone("resume", "--epochs", "5");
    assertThat(done.exitCode()).as(done.errors()).isZero();
    assertThat(done.printed("Epochs done before")).isEqualTo(5);
    assertThat(done.output()).contains(ACCURACY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "train|don't know what to do with 'train'",
        "mln cg|don't know what to do with 'cg'",
        "mln --epochs|--epochs needs a value",
        "--epochs 0|--epochs must be a whole number from 1 to 9999, got '0'",
        "--patience ten|--patience must be a whole number from 1 to 9999, got 'ten'",
      })
  void refusesArgumentsThatMakeNoSense(String arguments, String complaint) throws Exception {
    sample.refuses(complaint, arguments.split(" "));
  }
}
