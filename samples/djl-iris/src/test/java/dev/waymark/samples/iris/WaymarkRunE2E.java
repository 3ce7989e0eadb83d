package dev.waymark.samples.iris;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Model;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import dev.waymark.samples.testing.FrameworksPage;
import dev.waymark.samples.testing.Report;
import dev.waymark.samples.testing.SampleJar;
import dev.waymark.samples.testing.WatchedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /**
   * By the setting and the agent, and by the listener and a real checkpoint. By far the most epochs
   * were done before, so that an estimate which counted them as work of this session would say that
   * there is no time left.
   */
  @ParameterizedTest
  @ValueSource(strings = {"easytrain", "listener"})
  void aTrainingThatGoesOnFromACheckpointKnowsItsTimeLeftFromTheFirstEstimate(String program)
      throws Exception {
    int before = 9599;
    Instant started = Instant.now();
    WatchedRun run;
    if (program.equals("listener")) {
      saveCheckpoint(before);
      run = sample.watched(program, "--epochs", "9999");
    } else {
      run = sample.watched(List.of("-Dwaymark.start.epoch=" + before), program, "--epochs", "400");
    }

    assertThat(run.percents()).isSorted().allMatch(percent -> percent >= 95);
    Report last = run.last();
    assertThat(last.metric("state")).isEqualTo("completed");
    assertThat(last.metric("current_epoch")).isEqualTo("9999");
    assertThat(last.metric("total_epochs")).isEqualTo("9999");
    assertThat(last.number("current_step")).isEqualTo(9999.0 * IrisData.BATCHES);
    assertEstimatesFollowTheSession(run, started, (double) before * IrisData.BATCHES);
  }

  /**
   * Asserts that the first estimates lie between the steps that are left at the slowest pace that
   * the session may have shown so far, and those at the fastest, within a factor of three. How fast
   * the machine is, and whether it becomes faster, doesn't matter.
   */
  private static void assertEstimatesFollowTheSession(
      WatchedRun run, Instant started, double stepsBefore) {
    List<Report> reports = run.reports();
    List<Report> estimates = run.estimates();
    assertThat(estimates).isNotEmpty();
    for (Report estimate : estimates.subList(0, Math.min(3, estimates.size()))) {
      double step = estimate.number("current_step");
      double left = run.last().number("current_step") - step;
      double slowest = (step - stepsBefore) / seconds(started, estimate);
      double fastest = fastestPace(reports.subList(0, reports.indexOf(estimate) + 2));
      assertThat((double) estimate.secondsLeft())
          .as(estimate.toString())
          .isBetween(left / fastest / 3 - 0.5, left / slowest * 3 + 1);
    }
  }

  /** Steps a second from one report to the next, the most there were; infinite if none tells. */
  private static double fastestPace(List<Report> reports) {
    double fastest = 0;
    for (int i = 1; i < reports.size(); i++) {
      Report before = reports.get(i - 1);
      double steps = reports.get(i).number("current_step") - before.number("current_step");
      double pace = steps / seconds(before.receivedAt(), reports.get(i));
      fastest = Double.isNaN(pace) ? fastest : Math.max(fastest, pace);
    }
    return fastest == 0 ? Double.POSITIVE_INFINITY : fastest;
  }

  private void saveCheckpoint(int epochs) throws IOException {
    try (Model model = Model.newInstance("iris")) {
      model.setBlock(IrisNetwork.create());
      model
          .getBlock()
          .initialize(model.getNDManager(), DataType.FLOAT32, new Shape(1, IrisData.MEASURES));
      model.setProperty("Epoch", Integer.toString(epochs));
      model.save(folder.resolve("iris-checkpoints"), "iris");
    }
  }

  private static double seconds(Instant start, Report end) {
    return Duration.between(start, end.receivedAt()).toMillis() / 1e3;
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
