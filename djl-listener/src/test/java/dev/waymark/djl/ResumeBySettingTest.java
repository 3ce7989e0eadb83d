package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import org.junit.jupiter.api.Test;

/** One test, since the setting is for the first run of a process. */
class ResumeBySettingTest {
  @Test
  void listenerCountsTheEpochsBefore() throws Exception {
    System.setProperty("waymark.start.epoch", "7");
    ReceivedReports reports;
    try {
      reports = ReceivedReports.inThisJvm();
      PlanBySettingTest.listenTo(ProgressTrainingListener.builder().optTotalEpochs(10).build(), 3);
    } finally {
      System.clearProperty("waymark.start.epoch");
    }

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.percent()).isEqualTo(100);
    assertThat(end.number("current_epoch")).isEqualTo(10);
  }
}
