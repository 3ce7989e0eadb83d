package dev.waymark.samples.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;

class IrisDataTest {
  private static final Path SOURCES = Path.of("src", "main", "java");

  @Test
  void everyRowIsInOnePartOnly() throws IOException {
    IrisData data = IrisData.load();
    List<DataSet> parts = List.of(data.training, data.validation, data.heldOut);

    assertThat(parts).extracting(DataSet::numExamples).containsExactly(90, 30, 30);
    INDArray ofEachSpecies =
        DataSet.merge(parts).getLabels().sum(0).reshape(IrisData.SPECIES); // 50 flowers each
    assertThat(ofEachSpecies.toFloatVector()).containsExactly(50, 50, 50);
  }

  @Test
  void theTrainingRowsAreInUnitsOfTheirDeviation() throws IOException {
    INDArray measures = IrisData.load().training.getFeatures();

    assertThat(measures.mean(0).amaxNumber().doubleValue()).isLessThan(1e-5);
    assertThat(measures.std(0).sub(1).amaxNumber().doubleValue()).isLessThan(0.01);
  }

  /** With which there is a percentage and a time left. */
  @Test
  void theLineOfTheReadmeIsThatOfTheProgram() throws IOException {
    String line = "network.addListeners(ProgressListener.builder().totalEpochs(%s).build())";
    Path program = SOURCES.resolve("dev/waymark/samples/dl4j/IrisListener.java");

    assertThat(Path.of("..", "..", "README.md")).content().contains(String.format(line, 20));
    assertThat(program).content().contains(String.format(line, "epochs"));
  }
}
