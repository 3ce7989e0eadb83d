package dev.waymark.djl;

import ai.djl.training.Trainer;
import ai.djl.training.listener.TrainingListener;

/** Reports a DJL training by hand. */
public final class ProgressTrainingListener implements TrainingListener {
  private ProgressTrainingListener() {}

  /** Creates a listener that learns the number of epochs from the settings, or not at all. */
  public static ProgressTrainingListener create() {
    return builder().build();
  }

  /** Creates a builder for a listener that is told more. */
  public static Builder builder() {
    return new Builder();
  }

  /** {@inheritDoc} */
  @Override
  public void onTrainingBegin(Trainer trainer) {}

  /** {@inheritDoc} */
  @Override
  public void onTrainingBatch(Trainer trainer, BatchData batchData) {}

  /** {@inheritDoc} */
  @Override
  public void onValidationBatch(Trainer trainer, BatchData batchData) {}

  /** {@inheritDoc} */
  @Override
  public void onEpoch(Trainer trainer) {}

  /** {@inheritDoc} */
  @Override
  public void onTrainingEnd(Trainer trainer) {}

  /** Builds a {@link ProgressTrainingListener}. */
  public static final class Builder {
    private Builder() {}

    /** How many epochs the training has in all, those before a resume included. */
    public Builder optTotalEpochs(int totalEpochs) {
      return this;
    }

    /** How many epochs were done before this session, when a checkpoint was loaded. */
    public Builder optStartEpoch(int startEpoch) {
      return this;
    }

    /** Builds the listener. */
    public ProgressTrainingListener build() {
      return new ProgressTrainingListener();
    }
  }
}
