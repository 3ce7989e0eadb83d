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

/**
 * What is reported while trainings with Deeplearning4j run. Their data comes at fixed times, so
 * that the truth about the time left is known, whatever else the machine does.
 */
class Dl4jPaceIT {
  private static final double SECONDS_A_STEP = 0.08;
  private static final int STEPS_BEFORE = 360;
  private static final int STEPS = 480;

  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir static Path folder;

  @BeforeAll
  static void train() throws Exception {
    List<Path> classPath = new ArrayList<>(List.of(Jars.program(folder)));
    classPath.addAll(Jars.dl4jAndItsNeeds());
    Outcome outcome =
        Program.onClassPath(
                Jdk.present(), classPath, "example.dl4j.Trainings", "paced", "slowly-evaluated")
            .option("-Dorg.bytedeco.javacpp.maxphysicalbytes=0")
            .withEnvironment("OMP_NUM_THREADS", "1")
            .withAgent()
            .reportingTo(endpoint, "paced")
            .run();
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
  }

  @Test
  void percentIsThePartOfTheStepsThatIsDone() {
    assertThat(pacedReports())
        .allSatisfy(report -> assertThat(report.progress()).isEqualTo(percentBySteps(report)));
    assertThat(pacedReports().stream().map(Report::progress).distinct()).hasSizeGreaterThan(4);
  }

  private static int percentBySteps(Report report) {
    assertThat(report.metric("total_steps")).isEqualTo(String.valueOf(STEPS));
    int percent = 100 * (STEPS - stepsLeft(report)) / STEPS;
    return report.metric("state").equals("completed") ? percent : Math.min(99, percent);
  }

  /**
   * Were the steps before the session taken for this one's, six seconds and more would be missing
   * at first.
   */
  @Test
  void timeLeftFallsAsTheTrainingGoesOnAndKnowsNothingOfTheStepsBefore() {
    List<Report> estimates =
        pacedReports().stream()
            .filter(report -> report.metric("state").equals("running"))
            .filter(report -> report.secondsLeft() != null)
            .toList();

    assertThat(estimates).hasSizeGreaterThan(2);
    assertThat(estimates)
        .allSatisfy(
            report ->
                assertThat((double) report.secondsLeft())
                    .as(report.toString())
                    .isCloseTo(SECONDS_A_STEP * stepsLeft(report), within(3.0)));
    int first = estimates.get(0).secondsLeft();
    int last = estimates.get(estimates.size() - 1).secondsLeft();
    assertThat(first - last).as("%s s at first, %s s at last", first, last).isGreaterThan(2);
  }

  private static int stepsLeft(Report report) {
    int steps = Integer.parseInt(report.metric("current_step"));
    assertThat(steps).isBetween(STEPS_BEFORE, STEPS);
    return STEPS - steps;
  }

  /** The first run is the training that was before; this one's very first may know no plan yet. */
  private static List<Report> pacedReports() {
    return reportsOf("2").stream().filter(report -> report.metric("total_steps") != null).toList();
  }

  @Test
  void anEvaluationIsSeenWhileItLasts() {
    List<Report> reports = reportsOf("3");

    assertThat(reports)
        .filteredOn(report -> report.metric("state").equals("evaluating"))
        .isNotEmpty()
        .extracting(report -> report.metric("current_step"))
        .containsOnly("6");
    Report last = reports.get(reports.size() - 1);
    assertThat(last.metric("state")).isEqualTo("completed");
    assertThat(Double.parseDouble(last.metric("eval_accuracy"))).isBetween(0.0, 1.0);
  }

  private static List<Report> reportsOf(String run) {
    return endpoint.of("paced").stream()
        .filter(report -> report.metric("run").equals(run))
        .toList();
  }
}
