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
    FittedRun run = new FittedRun("a model");
    fit(run, epochs);

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo(state);
    assertThat(end.percent()).isEqualTo(percent);
  }

  @ParameterizedTest(name = "fits of {0}, {1}, {2} and {3} epochs")
  @CsvSource({"2, 2, 2, 2", "4, 1, 1, 2", "1, 1, 4, 2"})
  void fitsMakeUpThePlanTogether(int first, int second, int third, int fourth) {
    FittedRun run = new FittedRun("a model", Duration.ofMillis(200));
    for (int epochs : new int[] {first, second, third, fourth}) {
      fit(run, epochs);
    }

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.percent()).isEqualTo(100);
    assertThat(end.number("current_epoch")).isEqualTo(8);
    assertThat(end.number("current_step")).isEqualTo(8);
  }

  @Test
  void aFitAfterThePlanIsDoneIsARunOfItsOwn() {
    FittedRun run = new FittedRun("a model");
    fit(run, 8);
    fit(run, 4);

    assertThat(reports.lastWord().state()).isEqualTo("completed");
    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("stopped_early");
    assertThat(end.percent()).isEqualTo(50);
  }

  private static void fit(FittedRun run, int epochs) {
    run.fitBegan(FitPlan.epochs(epochs, 1), () -> Counters.ZERO);
    makeEpochs(run, epochs);
    run.fitEnded(null);
  }

  private static Status endByAnother() {
    AnotherModel.trains();
    return reports.lastWords(2).get(0);
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
      fit(run, 1);
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
