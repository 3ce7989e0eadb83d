package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.Listener;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.dataset.DataSet;

/** Real trainings of SameDiff with the listener passed to fit. */
class SameDiffProgressListenerIT {
  private static final int BATCHES = Points.BATCHES;

  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @Test
  void allEpochsDoneAreACompletedRun() {
    Listener listener = SameDiffProgressListener.builder().totalEpochs(3).build();
    SameDiff sd = Points.sameDiff();
    sd.fit(Points.batches(), 3, listener);

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.percent()).isEqualTo(100);
    assertThat(end.number("current_step")).isEqualTo(3 * BATCHES);
    assertThat(end.number("total_steps")).isEqualTo(3 * BATCHES);
    assertThat(end.number("current_epoch")).isEqualTo(3);
    assertThat(end.number("learning_rate")).isEqualTo(0.125);
  }

  @Test
  void aLossThatSameDiffDoesNotWorkOutIsLeftOut() {
    SameDiff sd = Points.sameDiff();
    sd.fit(Points.batches(), 2, SameDiffProgressListener.create());

    Status end = endByAnother();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_step")).isEqualTo(2 * BATCHES);
    assertThat(end.metric("loss")).isNull();
  }

  @Test
  void aLossThatIsToldIsReported() {
    SameDiff sd = Points.sameDiff();
    Listener listener = SameDiffProgressListener.create();
    At at = At.defaultAt(Operation.TRAINING);
    listener.epochStart(sd, at);
    listener.iterationDone(
        sd, at, null, new Loss(List.of("entropy", "l2"), new double[] {0.5, 0.25}));
    listener.epochEnd(sd, at, null, 1);

    assertThat(endByAnother().number("loss")).isEqualTo(0.75);
  }

  @Test
  void batchesWithoutEpochsAreCounted() {
    SameDiff sd = Points.sameDiff();
    Listener listener = SameDiffProgressListener.create();
    for (DataSet example : Points.examples().subList(0, 5)) {
      sd.fit(example, listener);
    }

    Status end = endByAnother();
    assertThat(end.number("current_step")).isEqualTo(5);
    assertThat(end.metric("current_epoch")).isNull();
  }

  /** The last word of the run that is over now, as another model is trained. */
  private static Status endByAnother() {
    AnotherModel.trains();
    return reports.lastWord();
  }
}
