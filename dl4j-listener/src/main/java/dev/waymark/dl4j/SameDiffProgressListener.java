package dev.waymark.dl4j;

import dev.waymark.reporter.Fault;
import dev.waymark.reporter.TrainingRun;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final int totalEpochs;
  private final long batchesPerEpoch;

  /**
   * By what an instance and its gradient function have in common: epochs are told with the one,
   * iterations with the other.
   */
  private final WeakIdentityMap<TrainingConfig, ListenedTraining> trainings =
      new WeakIdentityMap<>();

  private final DeviceMemory memory = DeviceMemory.ofBackend();
  private final ListenedTraining first;
  private final AtomicBoolean firstIsTaken = new AtomicBoolean();

  private SameDiffProgressListener(Builder builder) {
    totalEpochs = builder.totalEpochs;
    batchesPerEpoch = builder.batchesPerEpoch;
    first = new ListenedTraining(totalEpochs, batchesPerEpoch);
  }

  /** Creates a listener that isn't told how much is planned. */
  public static SameDiffProgressListener create() {
    return builder().build();
  }

  /** Creates a builder for a listener that is told more. */
  public static Builder builder() {
    return new Builder();
  }

  /** {@inheritDoc} */
  @Override
  public boolean isActive(Operation operation) {
    return operation == Operation.TRAINING;
  }

  /** {@inheritDoc} */
  @Override
  public void epochStart(SameDiff sd, At at) {
    Fault.guard(() -> trainingOf(sd).epochBegan(counters(at)));
  }

  /** {@inheritDoc} */
  @Override
  public void iterationDone(SameDiff sd, At at, MultiDataSet dataSet, Loss loss) {
    try {
      TrainingRun due = trainingOf(sd).step(knownLoss(loss), counters(at), false);
      if (due != null) {
        due.learningRate(counters(at).learningRate(sd.getTrainingConfig().getUpdater()));
        memory.tell(due);
      }
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
    return loss == null || Arrays.stream(loss.lossValues()).anyMatch(value -> value == 0)
        ? null
        : (Double) loss.totalLoss();
  }

  private static Counters counters(At at) {
    return new Counters(at.iteration(), at.epoch());
  }

  private ListenedTraining trainingOf(SameDiff sd) {
    return trainings.computeIfAbsent(
        sd.getTrainingConfig(),
        () ->
            firstIsTaken.getAndSet(true)
                ? new ListenedTraining(totalEpochs, batchesPerEpoch)
                : first);
  }

  /** Builds a {@link SameDiffProgressListener}. */
  public static final class Builder {
    private int totalEpochs;
    private long batchesPerEpoch;

    private Builder() {}

    /**
     * Tells how many epochs the training has in all; those that a restored instance has behind it
     * count. The setting {@code WAYMARK_EPOCHS} wins over it.
     *
     * @param totalEpochs 1 or more
     * @return this builder
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder totalEpochs(int totalEpochs) {
      this.totalEpochs = (int) Positive.check("totalEpochs", totalEpochs);
      return this;
    }

    /**
     * Tells how many batches an epoch has, so that the progress is known from the first one on.
     *
     * @param batchesPerEpoch 1 or more
     * @return this builder
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder batchesPerEpoch(long batchesPerEpoch) {
      this.batchesPerEpoch = Positive.check("batchesPerEpoch", batchesPerEpoch);
      return this;
    }

    /** Builds the listener. */
    public SameDiffProgressListener build() {
      return new SameDiffProgressListener(this);
    }
  }
}
