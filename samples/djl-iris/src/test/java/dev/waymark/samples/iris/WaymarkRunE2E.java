package dev.waymark.samples.iris;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.samples.testing.FrameworksPage;
import dev.waymark.samples.testing.Report;
import dev.waymark.samples.testing.SampleJar;
import dev.waymark.samples.testing.WatchedRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The whole product: a program that does not know Waymark trains under {@code waymark run}, and its
 * progress arrives by agent, reporter, TLS, token and status endpoint.
 */
class WaymarkRunE2E {
  /** Long enough for the time left to be known. */
  private static final String EPOCHS = "200";

  @TempDir Path folder;
  private SampleJar sample;

  @BeforeEach
  void findTheJar() {
    sample = SampleJar.of("djl-iris.jar", folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "easytrain|`EasyTrain.fit`",
        "loop     |a loop by hand",
        "listener |the line by hand, `EasyTrain.fit`",
      })
  void aProgramReportsItself(String program, String entryPoint) throws Exception {
    WatchedRun run = sample.watched(program, "--epochs", EPOCHS);

    assertThat(run.reports()).extracting(Report::trainJob).containsOnly("default/djl-iris");
    assertThat(run.percents()).isSorted().allMatch(percent -> percent >= 0 && percent <= 100);
    assertThat(run.reports().subList(0, run.reports().size() - 1))
        .extracting(Report::percent)
        .doesNotContain(100);
    assertThat(run.outcome().errors()).contains("[waymark] completed, ");
    assertThat(run.last().number("loss")).isBetween(0.0, 1.0);
    assertThat(run.last().number("learning_rate")).isBetween(0.0, 1.0);
    FrameworksPage.tells(entryPoint, run);
  }

  @Test
  void aPlainProgramThatGoesOnFromACheckpointCountsFromThere() throws Exception {
    WatchedRun run = sample.watched(List.of("-Dwaymark.start.epoch=40"), "--epochs", "60");

    assertThat(run.percents()).isSorted().allMatch(percent -> percent >= 40);
    Report last = run.last();
    assertThat(last.metric("current_epoch")).isEqualTo("100");
    assertThat(last.metric("total_epochs")).isEqualTo("100");
    assertThat(last.metric("state")).isEqualTo("completed");
  }

  @Test
  void theTrainJobOfTheSampleRunsHere() throws Exception {
    String job =
        Files.readString(Path.of("trainjob.yaml"))
            .replace("local-root: target", "local-root: " + sample.file().getParent())
            .replace("args: [easytrain]", "args: [easytrain, --epochs, '60']");
    Path file = Files.writeString(folder.resolve("trainjob.yaml"), job);

    WatchedRun run =
        WatchedRun.of(
            folder, List.of(file.toString(), Path.of("runtime.yaml").toAbsolutePath().toString()));

    assertThat(run.outcome().output()).contains("Accuracy on the 30 rows held out: ");
    assertThat(run.last().percent()).isEqualTo(100);
    assertThat(run.last().metric("state")).isEqualTo("completed");
  }
}
