package dev.waymark.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.TrainingListener;
import java.util.function.Consumer;

/**
 * Reports one {@link Trainer} of a program that knows nothing of it: the agent creates one when the
 * trainer is constructed (at its first notification), keeps it in a weak map, and calls it from its
 * hooks.
 *
 * <p>It holds neither the trainer nor any of its arrays. Every method may be called from any
 * thread, returns at once, and never throws. Where a method takes what the hooked call threw, that
 * is null after a normal return; the caller throws it on.
 */
public final class TrainerProgress implements TrainingListener {

  /** Creates the progress of a trainer under construction. */
  public TrainerProgress() {}

  /** The trainer's constructor has returned: tells which optimizer it uses. */
  public void constructed(TrainingConfig config) {}

  /** {@code EasyTrain.fit} was entered with this trainer. */
  public void fitBegan(Trainer trainer, int numEpoch) {}

  /** {@code EasyTrain.fit} has returned, or thrown. */
  public void fitEnded(Throwable thrown) {}

  /**
   * {@code Trainer.notifyListeners} has called the user's listeners (or was left by what one of
   * them threw); this listener is the last to be called.
   */
  public void notified(Consumer<TrainingListener> callback, Throwable thrown) {}

  /** {@code Trainer.step} has returned, or thrown. */
  public void stepped(Trainer trainer, Throwable thrown) {}

  /** {@code Trainer.iterateDataset} has returned, or thrown. */
  public void datasetIterated(Dataset dataset, Throwable thrown) {}

  /**
   * {@code GradientCollector.backward} was entered. Which trainer it serves is not known; the value
   * counts for the one that is reported if that one steps next. The array is read, on the calling
   * thread, only when a report is due, and is not kept.
   *
   * @param loss the argument of {@code backward}
   */
  public static void backward(NDArray loss) {}

  /** {@code GradientCollector.backward} has thrown. */
  public static void backwardFailed(Throwable thrown) {}

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
}
