package dev.waymark.cli.history;

import static dev.waymark.cli.history.Reports.START;
import static dev.waymark.cli.history.Reports.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.cli.history.RunCurves.Series;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedReportsTest {

  private final WatchedReports reports = new WatchedReports("team-a/iris", START, 100);

  @Test
  void hasNoCurvesBeforeThereIsAReport() {
    assertThat(reports.curves().x()).isEmpty();
    assertThat(reports.curves().series()).isEmpty();
  }

  @Test
  void theSameReportSeenAgainIsNoOther() {
    reports.add(START, status(1, "loss", "0.5"));
    reports.add(START.plusSeconds(5), status(1, "loss", "0.5"));
    reports.add(START.plusSeconds(9), status(1, "loss", "0.4"));

    assertThat(reports.curves().x()).containsExactly(0.0, 9.0);
  }

  @Test
  void aLongOneIsThinnedAndKeepsItsEnds() {
    for (int i = 0; i <= 10_000; i++) {
      reports.add(START.plusSeconds(i), status(1, "current_step", "" + i, "loss", "" + i));
    }

    RunCurves curves = reports.curves();
    assertThat(curves.x()).hasSizeBetween(50, 100).startsWith(0.0).endsWith(10_000.0);
    double widest = 0;
    for (int i = 1; i < curves.x().size(); i++) {
      widest = Math.max(widest, curves.x().get(i) - curves.x().get(i - 1));
    }
    assertThat(widest).as("gaps").isLessThan(10_000 / 20.0);
  }

  @Test
  void ofSeveralTrainingsTheNewestCounts() {
    reports.add(START, status(90, "current_step", "90", "loss", "0.1"));
    reports.add(START.plusSeconds(9), status(1, "current_step", "1", "loss", "0.9"));
    reports.add(START.plusSeconds(10), status(2, "current_step", "2", "loss", "0.8"));

    assertThat(reports.curves().x()).containsExactly(1.0, 2.0);
  }

  @Test
  void keepsNoMoreFiguresThanAreDrawn() {
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      many.addAll(List.of("metric_" + i, "1"));
    }
    reports.add(START, status(1, many.toArray(String[]::new)));

    assertThat(reports.curves().series()).hasSize(64).extracting(Series::name).contains("metric_0");
  }
}
