package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where {@code WAYMARK_EPOCHS} plans more than a fit, the fit is not the end of the plan. */
class FittedRunOfSettingsTest {
  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    System.setProperty("waymark.epochs", "8");
    reports = ReceivedReports.inThisJvm();
  }

  @ParameterizedTest(name = "{0} of 8 epochs: {1}, {2} %")
  @CsvSource({"2, stopped_early, 25", "8, completed, 100"})
  void aFitThatIsOverIsCutShortIfMoreWasPlanned(int epochs, String state, int percent) {
    FittedRun run = new FittedRun("a model", Duration.ofMillis(200));
    run.fitBegan(FitPlan.epochs(epochs, 1), () -> Counters.ZERO);
    makeEpochs(run, epochs);
    run.fitEnded(null);

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo(state);
    assertThat(end.percent()).isEqualTo(percent);
  }

  @ParameterizedTest(name = "{0} of 8 epochs: {1}, {2} %")
  @CsvSource({"2, stopped_early, 25", "8, completed, 100"})
  void soIsAnEarlyStoppingThatHasMadeAllItsEpochs(int epochs, String state, int percent) {
    FittedRun run = new FittedRun("a model");
    run.fitBegan(FitPlan.untilStopped(epochs, 1), () -> Counters.ZERO);
    makeEpochs(run, epochs);
    run.fitEnded(Outcome.COMPLETED, null);

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo(state);
    assertThat(end.percent()).isEqualTo(percent);
  }

  @Test
  void anEvaluationAfterThePlanIsDoneDoesNotKeepTheRunAlive() {
    FittedRun run = new FittedRun("a model", Duration.ofMillis(200));
    for (int i = 0; i < 8; i++) {
      run.fitBegan(FitPlan.epochs(1, 1), () -> Counters.ZERO);
      makeEpochs(run, 1);
      run.fitEnded(null);
    }
    Status end =
        reports.lastWordDuring(
            () -> {
              run.evaluating();
              run.evaluated();
            });

    assertThat(end.state()).isEqualTo("completed");
  }

  private static void makeEpochs(FittedRun run, int epochs) {
    for (int i = 0; i < epochs; i++) {
      run.step(1.0);
      run.epochsEnded(1);
    }
  }
}
