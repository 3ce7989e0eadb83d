package dev.waymark.samples.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waymark.samples.testing.FrameworksPage;
import dev.waymark.samples.testing.Outcome;
import dev.waymark.samples.testing.Report;
import dev.waymark.samples.testing.SampleJar;
import dev.waymark.samples.testing.WatchedRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each program twice, alone and under {@code waymark run}: it comes to the same result bit for bit,
 * and what arrives at the status endpoint is what it printed.
 */
class WaymarkRunE2E {
  private static final String EPOCHS = "20";

  private static final String LOSS = "Loss of the last batch";

  @TempDir Path folder;
  private SampleJar sample;

  @BeforeEach
  void findTheJar() {
    sample = SampleJar.of("dl4j-iris.jar", folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mln     |`EarlyStoppingTrainer.fit`",
        "listener|the line by hand, `network.fit(iterator, epochs)`",
      })
  void aProgramReportsItself(String program, String entryPoint) throws Exception {
    Outcome alone = sample.alone(program, "--epochs", EPOCHS, "--models", "alone");
    WatchedRun watched = sample.watched(program, "--epochs", EPOCHS, "--models", "watched");

    assertThat(watched.outcome().result()).isEqualTo(alone.result());
    expectSound(watched);
    FrameworksPage.tells(entryPoint, watched);
  }

  /** One that a dependency of deeplearning4j-core brings, and nothing of the lean set. */
  @Test
  void theJarHoldsTheLibrariesThatTheProfileSays() throws Exception {
    try (JarFile jar = new JarFile(sample.file().toFile())) {
      boolean full = jar.getEntry("org/datavec/image/loader/NativeImageLoader.class") != null;
      assertThat(full ? "full" : "lean").isEqualTo(System.getProperty("libraries"));
    }
  }

  @Test
  void aProgramThatGivesUpEarlyIsReportedAsThat() throws Exception {
    WatchedRun run = sample.watched("--epochs", "9999", "--patience", "1");

    expectSound(run);
    assertThat(run.last().number("current_epoch")).isEqualTo(run.outcome().printed("Epochs"));
    assertThat(run.last().metric("state")).isEqualTo("stopped_early");
  }

  @Test
  void aProgramThatTrainsOnWithItsModelCountsFromThere() throws Exception {
    Outcome alone = sample.alone("resume", "--epochs", EPOCHS, "--models", "alone");
    WatchedRun first = sample.watched("resume", "--epochs", EPOCHS);
    WatchedRun second = sample.watched("resume", "--epochs", "30");

    assertThat(first.outcome().result()).isEqualTo(alone.result());
    expectSound(first);
    FrameworksPage.tells("`network.fit(iterator, epochs)`", first);

    assertThat(second.outcome().printed("Epochs done before")).isEqualTo(20);
    assertThat(second.reports())
        .filteredOn(report -> report.metric("current_step") != null)
        .allSatisfy(
            report -> assertThat(report.number("current_step")).isBetween(20 * 30.0, 30 * 30.0));
    expectSound(second);
    FrameworksPage.tells("`network.fit(iterator, epochs)` of a restored model", second);
  }

  /**
   * SameDiff itself doesn't tell the loss of a batch (1.0.0-M2.1); the agent finds it all the same.
   */
  @Test
  void aProgramOfSameDiffReportsItself() throws Exception {
    Outcome alone = sample.alone("samediff", "--epochs", EPOCHS);
    WatchedRun watched = sample.watched("samediff", "--epochs", EPOCHS);

    assertThat(watched.outcome().result()).isEqualTo(alone.result());
    watched.assertPercentIsThatOfTheSteps();
    assertThat(watched.last().number("loss")).isBetween(0.001, 1.0);
    FrameworksPage.tells("`SameDiff.fit` with validation", watched);
  }

  /** Two threads don't come to the same result twice: what can be compared is counts and state. */
  @Test
  void theProgramWithTwoWorkersReportsThemAsOneRun() throws Exception {
    WatchedRun run = sample.watched("cg", "--epochs", EPOCHS);

    assertThat(run.last().metric("run")).isEqualTo("1");
    run.assertPercentIsThatOfTheSteps();
    assertThat(run.last().number("loss")).isBetween(0.0, 3.0);
    FrameworksPage.tells("`ParallelWrapper.fit` in a loop", run);
  }

  @Test
  void theTrainJobOfTheSampleRunsHere() throws Exception {
    String job =
        Files.readString(Path.of("trainjob.yaml"))
            .replace("local-root: target", "local-root: " + sample.file().getParent())
            .replace("args: [mln]", "args: [mln, --epochs, '20', --models, '" + folder + "']");
    Path file = Files.writeString(folder.resolve("trainjob.yaml"), job);

    WatchedRun run =
        WatchedRun.of(
            folder, List.of(file.toString(), Path.of("runtime.yaml").toAbsolutePath().toString()));

    assertThat(run.outcome().output()).contains("Accuracy on the 30 rows held out: ");
    assertThat(run.last().percent()).isEqualTo(100);
    assertThat(run.last().metric("state")).isEqualTo("completed");
  }

  private static void expectSound(WatchedRun run) {
    assertThat(run.reports()).extracting(Report::trainJob).containsOnly("default/dl4j-iris");
    run.assertPercentIsThatOfTheSteps();
    assertThat(run.reports().subList(0, run.reports().size() - 1))
        .extracting(Report::percent)
        .doesNotContain(100);
    double printed = run.outcome().printed(LOSS);
    assertThat(run.last().number("loss")).isCloseTo(printed, within(1e-5 * printed));
  }
}
