package dev.waymark.agent.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.TrainingListener;
import dev.waymark.agent.weave.FrameworkSide;
import dev.waymark.agent.weave.HookPoint;
import dev.waymark.djl.TrainerProgress;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;

/**
 * Says which method of the listener is called at which hook point of DJL. Lives beside one copy of
 * DJL, and keeps one listener for each of its trainers as long as the trainer lives.
 */
public final class DjlSide implements FrameworkSide {
  private final Map<Trainer, TrainerProgress> progress =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Called by reflection. */
  public DjlSide() {}

  @Override
  @SuppressWarnings("unchecked")
  public void at(HookPoint point, Object[] call, Throwable thrown) {
    switch (point) {
      case TRAINER_CREATED:
        of(call[0]).constructed((TrainingConfig) call[2]);
        break;
      case LISTENERS_NOTIFIED:
        of(call[0]).notified((Consumer<TrainingListener>) call[1], thrown);
        break;
      case DATASET_ITERATED:
        of(call[0]).datasetIterated((Trainer) call[0], (Dataset) call[1], thrown);
        break;
      case GRADIENTS_COLLECTED:
        of(call[0]).collectsGradients((Trainer) call[0], thrown);
        break;
      case STEPPED:
        of(call[0]).stepped((Trainer) call[0], thrown);
        break;
      case FIT_STARTED:
        of(call[0]).fitBegan((Trainer) call[0], (Integer) call[1]);
        break;
      case FIT_ENDED:
        of(call[0]).fitEnded(thrown);
        break;
      case PYTORCH_BACKWARD:
      case MXNET_BACKWARD:
        backward((NDArray) call[1], thrown);
        break;
      default:
        throw new IllegalArgumentException("no hook point of DJL: " + point);
    }
  }

  private TrainerProgress of(Object trainer) {
    return progress.computeIfAbsent((Trainer) trainer, created -> new TrainerProgress());
  }

  private static void backward(NDArray loss, Throwable thrown) {
    if (thrown == null) {
      TrainerProgress.backward(loss);
    } else {
      TrainerProgress.backwardFailed(thrown);
    }
  }
}
