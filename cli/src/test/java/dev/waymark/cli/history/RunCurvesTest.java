package dev.waymark.cli.history;

import static dev.waymark.cli.history.Reports.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.cli.history.RunCurves.Axis;
import dev.waymark.cli.history.RunCurves.Series;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunCurvesTest {

  @Test
  void liesOverStepsInOrderAndTheLaterReportOfAStepWins() {
    RunCurves curves =
        RunCurves.of(
            List.of(
                report(0, "current_step", "10", "loss", "1.0"),
                report(5, "current_step", "20", "loss", "0.8"),
                report(10, "current_step", "20", "loss", "0.7", "accuracy", "0.5"),
                report(15, "current_step", "15", "loss", "0.9")));

    assertThat(curves.axis()).isEqualTo(Axis.STEP);
    assertThat(curves.x()).containsExactly(10.0, 15.0, 20.0);
    assertThat(values(curves, "loss")).containsExactly(1.0, 0.9, 0.7);
    assertThat(values(curves, "accuracy")).containsExactly(null, null, 0.5);
  }

  @Test
  void liesOverSecondsWhereStepsAreNotReported() {
    RunCurves curves = RunCurves.of(List.of(report(3, "loss", "1"), report(8, "loss", "2")));

    assertThat(curves.axis()).isEqualTo(Axis.SECONDS);
    assertThat(curves.x()).containsExactly(0.0, 5.0);
  }

  @Test
  void whatIsNotFiniteOrTooLargeToDrawIsAGap() {
    RunCurves curves =
        RunCurves.of(
            List.of(
                report(0, "current_step", "1", "loss", "NaN"),
                report(1, "current_step", "2", "loss", "1e308"),
                report(2, "current_step", "3", "loss", "0.5")));

    assertThat(values(curves, "loss")).containsExactly(Double.NaN, Double.NaN, 0.5);
  }

  @Test
  void anEvaluationIsDrawnWhereItWasMadeNotWhereItIsRepeated() {
    RunCurves curves =
        RunCurves.of(
            List.of(
                report(0, "current_step", "1", "current_epoch", "1", "eval_loss", "0.5"),
                report(1, "current_step", "2", "current_epoch", "1.73", "eval_loss", "0.5"),
                report(2, "current_step", "3", "current_epoch", "2.01", "eval_loss", "0.5"),
                report(3, "current_step", "4", "current_epoch", "2.02", "eval_loss", "0.4")));

    assertThat(values(curves, "eval_loss")).containsExactly(0.5, null, 0.5, 0.4);
  }

  @Test
  void wordsAndCountersAreNoCurves() {
    RunCurves curves =
        RunCurves.of(
            List.of(
                report(
                    0,
                    "state",
                    "running",
                    "run",
                    "1",
                    "current_step",
                    "1",
                    "total_steps",
                    "9",
                    "current_epoch",
                    "1",
                    "total_epochs",
                    "2",
                    "phase",
                    "warm-up")));

    assertThat(curves.series()).isEmpty();
  }

  @Test
  void keepsTheFirst64FiguresOnly() {
    List<String> metrics = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      metrics.add("figure" + i);
      metrics.add("1");
    }
    RunCurves curves = RunCurves.of(List.of(report(0, metrics.toArray(String[]::new))));

    assertThat(curves.series()).hasSize(64);
    assertThat(curves.series().get(63).name()).isEqualTo("figure63");
  }

  private static List<Double> values(RunCurves curves, String name) {
    return curves.series().stream()
        .filter(series -> series.name().equals(name))
        .map(Series::values)
        .findFirst()
        .orElseThrow();
  }
}
