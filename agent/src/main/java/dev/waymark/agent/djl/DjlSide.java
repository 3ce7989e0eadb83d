package dev.waymark.agent.djl;

import static dev.waymark.agent.weave.HookPoint.DATASET_ITERATED;
import static dev.waymark.agent.weave.HookPoint.FIT_ENDED;
import static dev.waymark.agent.weave.HookPoint.FIT_STARTED;
import static dev.waymark.agent.weave.HookPoint.GRADIENTS_COLLECTED;
import static dev.waymark.agent.weave.HookPoint.LISTENERS_NOTIFIED;
import static dev.waymark.agent.weave.HookPoint.MXNET_BACKWARD;
import static dev.waymark.agent.weave.HookPoint.PYTORCH_BACKWARD;
import static dev.waymark.agent.weave.HookPoint.STEPPED;
import static dev.waymark.agent.weave.HookPoint.TRAINER_CREATED;

import ai.djl.ndarray.NDArray;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.TrainingListener;
import dev.waymark.agent.weave.HookPoint;
import dev.waymark.djl.TrainerProgress;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Says which method of the listener is called at which hook point of DJL. Lives beside one copy of
 * DJL, and keeps one listener for each of its trainers as long as the trainer lives.
 */
public final class DjlSide implements Supplier<Map<HookPoint, BiConsumer<Object[], Throwable>>> {
  private final Map<Trainer, TrainerProgress> progress =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Called by reflection. */
  public DjlSide() {}

  /** What is called at each hook point: with the call's arguments, the receiver first. */
  @Override
  @SuppressWarnings("unchecked")
  public Map<HookPoint, BiConsumer<Object[], Throwable>> get() {
    return Map.of(
        TRAINER_CREATED,
        (call, thrown) -> of(call[0]).constructed((TrainingConfig) call[2]),
        LISTENERS_NOTIFIED,
        (call, thrown) -> of(call[0]).notified((Consumer<TrainingListener>) call[1], thrown),
        DATASET_ITERATED,
        (call, thrown) -> of(call[0]).datasetIterated((Trainer) call[0], (Dataset) call[1], thrown),
        GRADIENTS_COLLECTED,
        (call, thrown) -> of(call[0]).collectsGradients((Trainer) call[0], thrown),
        STEPPED,
        (call, thrown) -> of(call[0]).stepped((Trainer) call[0], thrown),
        FIT_STARTED,
        (call, thrown) -> of(call[0]).fitBegan((Trainer) call[0], (Integer) call[1]),
        FIT_ENDED,
        (call, thrown) -> of(call[0]).fitEnded(thrown),
        PYTORCH_BACKWARD,
        (call, thrown) -> backward((NDArray) call[1], thrown),
        MXNET_BACKWARD,
        (call, thrown) -> backward((NDArray) call[1], thrown));
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
