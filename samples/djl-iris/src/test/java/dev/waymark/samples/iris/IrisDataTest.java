package dev.waymark.samples.iris;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class IrisDataTest {
  @Test
  void has50FlowersOfEachSpecies() throws IOException {
    List<String> rows = Files.readAllLines(Path.of("..", "iris", "iris.csv"));

    assertThat(
            rows.stream()
                .skip(1)
                .collect(Collectors.groupingBy(row -> row.split(",")[4], Collectors.counting())))
        .containsOnly(
            entry("Iris-setosa", 50L), entry("Iris-versicolor", 50L), entry("Iris-virginica", 50L));
  }

  @Test
  void holdsOut30Rows() throws IOException {
    try (NDManager manager = NDManager.newBaseManager()) {
      IrisData data = IrisData.load(manager);

      assertThat(data.training.size()).isEqualTo(120);
      assertThat(data.heldOut.size()).isEqualTo(30);
    }
  }

  /** With which there is a percentage and a time left. */
  @Test
  void theLineOfTheReadmeTellsTheEpochsAsTheProgramDoes() {
    Path program = Path.of("src/main/java/dev/waymark/samples/iris/IrisListener.java");

    assertThat(Path.of("..", "..", "README.md"))
        .content()
        .contains("ProgressTrainingListener.builder().optTotalEpochs(20).build()");
    assertThat(program).content().contains(".optTotalEpochs(epochs)");
  }
}
