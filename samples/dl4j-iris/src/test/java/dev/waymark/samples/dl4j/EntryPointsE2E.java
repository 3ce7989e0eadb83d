package dev.waymark.samples.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waymark.samples.testing.FrameworksPage;
import dev.waymark.samples.testing.Outcome;
import dev.waymark.samples.testing.SampleJar;
import dev.waymark.samples.testing.WatchedRun;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each of {@link EntryPoints} twice, alone and under {@code waymark run}. */
class EntryPointsE2E {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "iterator |60|`network.fit(iterator)` in a loop",
        "batches  |60|`network.fit(DataSet)` in a loop",
        "arrays   |60|`network.fit(features, labels)` in a loop",
        "graph    |60|`ComputationGraph.fit(iterator, epochs)`",
        "evaluated|60|`network.fit(iterator, epochs)` with an `EvaluativeListener`",
        "sequences|60|`network.fit(iterator, epochs)`, truncated BPTT",
        "pretrain |60|`network.pretrain(iterator, epochs)`",
      })
  void aTrainingReportsItself(String how, String epochs, String entryPoint) throws Exception {
    SampleJar program =
        SampleJar.of("dl4j-iris.jar", folder)
            .program(EntryPoints.class.getName(), Path.of("target", "test-classes"));
    Outcome alone = program.alone(how, epochs);
    WatchedRun watched = program.watched(how, epochs);

    assertThat(watched.outcome().output()).as("bit for bit").isEqualTo(alone.output());
    assertThat(watched.percents()).isSorted();
    assertThat(watched.last().number("current_step")).isEqualTo(alone.printed("Iterations"));
    double loss = alone.printed("Loss of the last batch");
    assertThat(watched.last().number("loss")).isCloseTo(loss, within(1e-5 * Math.abs(loss)));
    FrameworksPage.tells(entryPoint, watched);
  }
}
