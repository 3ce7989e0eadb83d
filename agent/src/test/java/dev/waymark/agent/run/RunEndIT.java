package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waymark.agent.run.Program.Outcome;
import dev.waymark.agent.run.StatusEndpoint.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the reports say of trainings that end in all kinds of ways, and that these end as ever. */
class RunEndIT {
  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir static Path folder;
  private static List<Path> classPath;

  @BeforeAll
  static void pack() throws Exception {
    classPath = new ArrayList<>(Jars.djlNeeds());
    classPath.add(Jars.djl());
    classPath.add(Jars.program(folder));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          # scenario,           exit, state,         run, step, epoch, epochs, percent
          fit,                  0,    completed,     1,   40,   4,     4,      100
          fit-without-listeners,0,    completed,     1,   40,   4,     4,      100
          fit-without-close,    0,    completed,     1,   40,   4,     4,      100
          fits-of-one-epoch,    0,    completed,     1,   40,   4,     -,      100
          two-fits,             0,    completed,     2,   30,   3,     3,      100
          loop,                 0,    completed,     1,   40,   -,     -,      100
          loop-that-dies,       1,    failed,        1,   15,   -,     -,      -
          loop-that-dies-at-once,    1, failed,      1,   -,    -,     -,      -
          loop-whose-gradients-fail, 1, failed,      1,   -,    -,     -,      -
          early-stop,           0,    stopped_early, 1,   -,    -,     500,    0
          divergence,           1,    diverged,      1,   1,    0.1,   4,      2
          listener-that-throws, 1,    failed,        1,   15,   1.5,   4,      37
          exit,                 3,    interrupted,   1,   14,   1.4,   4,      35
          """)
  void theLastReportTellsHowTheRunEnded(
      String scenario,
      int exitCode,
      String state,
      String run,
      String step,
      String epoch,
      String epochs,
      Integer percent)
      throws Exception {
    Outcome alone = training(scenario).run();
    Outcome reported =
        training(scenario).option("-Xverify:all").withAgent().reportingTo(endpoint, scenario).run();

    List<Report> reports = endpoint.of(scenario);
    assertThat(reports).as(reported.err()).isNotEmpty();
    Report last = reports.get(reports.size() - 1);
    assertThat(last.metric("state")).as(last.toString()).isEqualTo(state);
    assertThat(last.metric("run")).isEqualTo(run);
    assertThat(last.metric("total_epochs")).isEqualTo(epochs);
    assertThat(last.progress()).isEqualTo(percent);
    if (step != null) {
      assertThat(last.metric("current_step")).isEqualTo(step);
    }
    if (epoch != null) {
      assertThat(last.metric("current_epoch")).isEqualTo(epoch);
    }

    assertThat(reported.exitCode()).isEqualTo(alone.exitCode()).isEqualTo(exitCode);
    assertThat(reported.out()).as("bit for bit").isEqualTo(alone.out());
    assertThat(reported.otherLines()).isEqualTo(alone.otherLines());
    assertThat(reported.waymarkLines())
        .contains("[waymark] INFO attached to DJL 0.36.0")
        .noneMatch(line -> line.contains("WARN") && !isOfEarlierRun(line));
  }

  /** On a slow machine there may not be time for more than the newest run's end. */
  private static boolean isOfEarlierRun(String line) {
    return line.contains("the last status of an earlier run may not have reached");
  }

  @ParameterizedTest(name = "{0} of 4 epochs where {1} are planned: {2}")
  @CsvSource({
    "fit,               10, stopped_early, 40",
    "fit-without-close, 10, stopped_early, 40",
    "fits-of-one-epoch, 10, stopped_early, 40",
    "loop,              10, stopped_early, 40",
    "exit,              10, interrupted,   14",
    "fit,               4,  completed,     100",
    "fits-of-one-epoch, 4,  completed,     100",
    "loop,              4,  completed,     100",
  })
  void thePlanOfTheSettingsWins(String scenario, String planned, String state, int percent)
      throws Exception {
    String trainJob = scenario + "-planned-" + planned;
    training(scenario)
        .withAgent()
        .reportingTo(endpoint, trainJob)
        .withEnvironment("WAYMARK_EPOCHS", planned)
        .run();

    List<Report> reports = endpoint.of(trainJob);
    assertThat(reports).isNotEmpty();
    Report last = reports.get(reports.size() - 1);
    assertThat(last.metric("state")).as(last.toString()).isEqualTo(state);
    assertThat(last.metric("total_epochs")).isEqualTo(planned);
    assertThat(last.progress()).isEqualTo(percent);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "fit-that-hangs,               interrupted, 14, 35",
    "loop-that-hangs,              interrupted, 15,",
    "fits-of-one-epoch-then-hangs, interrupted, 20,",
    "fit-then-hangs,               completed,   40, 100",
  })
  void sigtermLeavesBehindHowFarTheTrainingWas(
      String scenario, String state, String step, Integer percent) throws Exception {
    Outcome ended =
        training(scenario).withAgent().reportingTo(endpoint, scenario).runUntil("hangs");

    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(128 + 15);
    Report last = endpoint.last(scenario);
    assertThat(last.metric("state")).as(last.toString()).isEqualTo(state);
    assertThat(last.metric("current_step")).isEqualTo(step);
    assertThat(last.progress()).isEqualTo(percent);
  }

  @Test
  void theFirstOfTwoRunsHasItsOwnEndOrIsToldToLackIt() throws Exception {
    Outcome ended = training("two-fits").withAgent().reportingTo(endpoint, "first-of-two").run();

    if (ended.waymarkLines().stream().noneMatch(RunEndIT::isOfEarlierRun)) {
      assertThat(endpoint.of("first-of-two"))
          .anySatisfy(
              report -> {
                assertThat(report.metric("run")).isEqualTo("1");
                assertThat(report.metric("state")).isEqualTo("completed");
                assertThat(report.metric("current_step")).isEqualTo("20");
                assertThat(report.progress()).isEqualTo(100);
              });
    }
  }

  @Test
  void lossRateAndEvaluationsComeFromTheTraining() throws Exception {
    training("fit").withAgent().reportingTo(endpoint, "metrics").run();

    List<Report> reports = endpoint.of("metrics");
    Report last = reports.get(reports.size() - 1);
    assertThat(last.metric("loss")).isNotNull();
    assertThat(Double.parseDouble(last.metric("learning_rate"))).isCloseTo(0.05, within(1e-6));
    assertThat(Double.parseDouble(last.metric("eval_loss"))).isBetween(0.0, 3.0);
  }

  @Test
  void aTrainerThatTrainsNothingIsNoRun() throws Exception {
    Outcome outcome = training("nothing").withAgent().reportingTo(endpoint, "nothing").run();

    assertThat(outcome.exitCode()).isZero();
    assertThat(endpoint.of("nothing")).isEmpty();
    assertThat(outcome.waymarkLines())
        .containsExactly(
            "[waymark] INFO attached to DJL 0.36.0",
            "[waymark] INFO DJL was loaded, but nothing was trained");
  }

  private static Program training(String scenario) {
    return Program.onClassPath(Jdk.present(), classPath, "example.Training", scenario);
  }
}
