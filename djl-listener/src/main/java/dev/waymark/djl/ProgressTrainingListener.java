package dev.waymark.djl;

import ai.djl.training.Trainer;
import ai.djl.training.listener.TrainingListener;
import dev.waymark.reporter.Fault;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;

/**
 * Reports the progress of a DJL training to the Kubeflow Trainer: state, steps, epochs, remaining
 * time, loss, learning rate, and the results of each epoch.
 *
 * <pre>{@code
 * TrainingConfig config =
 *     new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
 *         .addEvaluator(new Accuracy())
 *         .addTrainingListeners(TrainingListener.Defaults.logging())
 *         .addTrainingListeners(
 *             ProgressTrainingListener.builder().optTotalEpochs(20).build());
 * }</pre>
 *
 * <p>It belongs at the end of the list: DJL calls listeners in order, loss and results are there
 * only when DJL's own {@code EvaluatorTrainingListener} and {@code EpochTrainingListener} have been
 * called, and what an earlier one throws (an early stop, say) keeps the event from the later ones.
 *
 * <p>A listener is told neither how many epochs are planned nor how a training ended. So: once the
 * trainer is closed, the run is completed if the planned number of epochs is done, by {@code
 * WAYMARK_EPOCHS} or as it was told, or, where no number is planned, if the last thing trained was
 * a whole epoch. Otherwise it is stopped early. The agent sees more; with it, this listener is not
 * needed.
 *
 * <p>Outside a TrainJob it does nothing. It never throws, takes no lock that is held for long, and
 * keeps neither arrays nor batches nor trainers. One listener may serve several trainers, in turn.
 */
public final class ProgressTrainingListener implements TrainingListener {
  private final int totalEpochs;
  private final int startEpoch;

  /** The values don't refer to the keys, so that a trainer is held by its program only. */
  private final Map<Trainer, ListenedTraining> trainings =
      Collections.synchronizedMap(new WeakHashMap<>());

  private ProgressTrainingListener(Builder builder) {
    totalEpochs = builder.totalEpochs;
    startEpoch = builder.startEpoch;
  }

  /** Creates a listener that isn't told how many epochs are planned. */
  public static ProgressTrainingListener create() {
    return builder().build();
  }

  /** Creates a builder for a listener that is told more. */
  public static Builder builder() {
    return new Builder();
  }

  /** {@inheritDoc} */
  @Override
  public void onTrainingBegin(Trainer trainer) {
    guarded(trainer, ListenedTraining::constructed);
  }

  /** {@inheritDoc} */
  @Override
  public void onTrainingBatch(Trainer trainer, BatchData batchData) {
    guarded(trainer, training -> training.batch(trainer, batchData));
  }

  /** {@inheritDoc} */
  @Override
  public void onValidationBatch(Trainer trainer, BatchData batchData) {
    guarded(trainer, ListenedTraining::validationBatch);
  }

  /** {@inheritDoc} */
  @Override
  public void onEpoch(Trainer trainer) {
    guarded(trainer, training -> training.epoch(trainer));
  }

  /** {@inheritDoc} */
  @Override
  public void onTrainingEnd(Trainer trainer) {
    guarded(trainer, ListenedTraining::end);
    trainings.remove(trainer);
  }

  private void guarded(Trainer trainer, Consumer<ListenedTraining> event) {
    Fault.guard(
        () ->
            event.accept(
                trainings.computeIfAbsent(
                    trainer, unknown -> new ListenedTraining(totalEpochs, startEpoch))));
  }

  /** Builds a {@link ProgressTrainingListener}. */
  public static final class Builder {
    private int totalEpochs;
    private int startEpoch;

    private Builder() {}

    /**
     * Tells how many epochs the training has in all, those before a resume included. The setting
     * {@code WAYMARK_EPOCHS} wins over it.
     *
     * @param totalEpochs 1 or more
     * @return this builder
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder optTotalEpochs(int totalEpochs) {
      if (totalEpochs < 1) {
        throw new IllegalArgumentException("totalEpochs must be 1 or more, got " + totalEpochs);
      }
      this.totalEpochs = totalEpochs;
      return this;
    }

    /**
     * Tells how many epochs were done before this session, when a checkpoint was loaded. The
     * setting {@code WAYMARK_START_EPOCH} does the same from outside.
     *
     * @param startEpoch 0 or more
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder optStartEpoch(int startEpoch) {
      if (startEpoch < 0) {
        throw new IllegalArgumentException("startEpoch must be 0 or more, got " + startEpoch);
      }
      this.startEpoch = startEpoch;
      return this;
    }

    /** Builds the listener. */
    public ProgressTrainingListener build() {
      return new ProgressTrainingListener(this);
    }
  }
}
