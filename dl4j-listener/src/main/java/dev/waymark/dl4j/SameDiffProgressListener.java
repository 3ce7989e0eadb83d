package dev.waymark.dl4j;

import dev.waymark.reporter.Fault;
import java.util.function.Supplier;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.BaseListener;
import org.nd4j.autodiff.listeners.ListenerResponse;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.listeners.records.LossCurve;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Reports the progress of a {@link SameDiff} training to the Kubeflow Trainer: state, iterations,
 * epochs, remaining time, loss and learning rate.
 *
 * <pre>{@code
 * sameDiff.fit(iterator, 20, SameDiffProgressListener.builder().totalEpochs(20).build());
 * }</pre>
 *
 * <p>SameDiff 1.0.0-M2.1 gives its listeners a loss of 0.0 for every loss function whose gradient
 * doesn't need its value, softmax cross entropy for one. Such a loss is left out. The agent sees
 * the real one, and the evaluations too; with it, this listener is not needed. For the rest {@link
 * ProgressListener} says what a listener can know, and what it keeps to.
 */
public final class SameDiffProgressListener extends BaseListener {
  /**
   * By what an instance and its gradient function have in common: epochs are told with the one,
   * iterations with the other.
   */
  private final ListenedTrainings<TrainingConfig> trainings;

  private final SameDiffFigures figures = new SameDiffFigures();

  private SameDiffProgressListener(Supplier<ListenedTraining> newTraining) {
    trainings = new ListenedTrainings<>(newTraining);
  }

  /** Creates a listener that isn't told how much is planned. */
  public static SameDiffProgressListener create() {
    return builder().build();
  }

  /** Creates a builder for a listener that is told more. */
  public static ListenerBuilder<SameDiffProgressListener> builder() {
    return new ListenerBuilder<>(SameDiffProgressListener::new);
  }

  /** {@inheritDoc} */
  @Override
  public boolean isActive(Operation operation) {
    return operation == Operation.TRAINING;
  }

  /** {@inheritDoc} */
  @Override
  public void epochStart(SameDiff sd, At at) {
    Fault.guard(() -> trainingOf(sd).epochBegan(SameDiffFigures.counters(at)));
  }

  /** {@inheritDoc} */
  @Override
  public void iterationDone(SameDiff sd, At at, MultiDataSet dataSet, Loss loss) {
    try {
      ListenedTraining training = trainingOf(sd);
      Due due = training.step(knownLoss(loss), SameDiffFigures.counters(at));
      figures.tell(due, at, sd.getTrainingConfig(), training);
    } catch (Throwable fault) {
      Fault.tell(fault);
    }
  }

  /** {@inheritDoc} */
  @Override
  public ListenerResponse epochEnd(SameDiff sd, At at, LossCurve lossCurve, long epochTimeMillis) {
    Fault.guard(() -> trainingOf(sd).epochEnded());
    return ListenerResponse.CONTINUE;
  }

  /** The sum of all losses; null if one of them was not worked out. */
  private static Double knownLoss(Loss loss) {
    if (loss == null) {
      return null;
    }
    for (double value : loss.lossValues()) {
      if (value == 0) {
        return null;
      }
    }
    return loss.totalLoss();
  }

  private ListenedTraining trainingOf(SameDiff sd) {
    return trainings.of(sd.getTrainingConfig());
  }
}
