package dev.waymark.agent.dl4j;

import static dev.waymark.agent.weave.HookPoint.EARLY_STOPPING_ENDED;
import static dev.waymark.agent.weave.HookPoint.EARLY_STOPPING_EPOCH;
import static dev.waymark.agent.weave.HookPoint.EARLY_STOPPING_STARTED;
import static dev.waymark.agent.weave.HookPoint.EVALUATION_ENDED;
import static dev.waymark.agent.weave.HookPoint.EVALUATION_STARTED;
import static dev.waymark.agent.weave.HookPoint.ITERATION_DONE;
import static dev.waymark.agent.weave.HookPoint.LAYER_ENDED;
import static dev.waymark.agent.weave.HookPoint.LAYER_STARTED;
import static dev.waymark.agent.weave.HookPoint.LISTENER_EVALUATED;
import static dev.waymark.agent.weave.HookPoint.NETWORK_BATCH_ENDED;
import static dev.waymark.agent.weave.HookPoint.NETWORK_BATCH_STARTED;
import static dev.waymark.agent.weave.HookPoint.NETWORK_CREATED;
import static dev.waymark.agent.weave.HookPoint.NETWORK_EPOCH_ENDED;
import static dev.waymark.agent.weave.HookPoint.NETWORK_EPOCH_STARTED;
import static dev.waymark.agent.weave.HookPoint.NETWORK_FIT_ENDED;
import static dev.waymark.agent.weave.HookPoint.NETWORK_FIT_STARTED;
import static dev.waymark.agent.weave.HookPoint.PARALLEL_FIT_ENDED;
import static dev.waymark.agent.weave.HookPoint.PARALLEL_FIT_STARTED;
import static dev.waymark.agent.weave.HookPoint.PRETRAINING_ENDED;
import static dev.waymark.agent.weave.HookPoint.PRETRAINING_STARTED;
import static dev.waymark.agent.weave.HookPoint.WORKER_ENDED;
import static dev.waymark.agent.weave.HookPoint.WORKER_STARTED;

import dev.waymark.agent.weave.HookPoint;
import dev.waymark.dl4j.ModelFits;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;

/**
 * Says what is told of the networks of one copy of Deeplearning4j at each hook point. Lives beside
 * that copy.
 */
public final class Dl4jSide implements Supplier<Map<HookPoint, BiConsumer<Object[], Throwable>>> {
  private final ModelFits fits = new ModelFits();

  /** Called by reflection. */
  public Dl4jSide() {}

  /** What is called at each hook point: with the call's arguments, the receiver first. */
  @Override
  public Map<HookPoint, BiConsumer<Object[], Throwable>> get() {
    Map<HookPoint, BiConsumer<Object[], Throwable>> hooks = new EnumMap<>(HookPoint.class);
    hooks.put(NETWORK_CREATED, (call, thrown) -> fits.created((Model) call[0]));
    hooks.put(
        NETWORK_FIT_STARTED,
        (call, thrown) -> fits.fitBegan((Model) call[0], call[1], (Integer) call[2]));
    hooks.put(NETWORK_EPOCH_STARTED, (call, thrown) -> fits.epochBegan((Model) call[0], call[1]));
    hooks.put(NETWORK_BATCH_STARTED, (call, thrown) -> fits.batchBegan((Model) call[0]));
    hooks.put(
        PRETRAINING_STARTED,
        (call, thrown) -> fits.pretrainingBegan((Model) call[0], call[1], (Integer) call[2]));
    hooks.put(
        LAYER_STARTED,
        (call, thrown) -> fits.layerBegan((Model) call[0], call[1], call[2], (Integer) call[3]));
    hooks.put(ITERATION_DONE, (call, thrown) -> fits.iterationDone((Model) call[0]));
    hooks.put(EARLY_STOPPING_STARTED, (call, thrown) -> fits.earlyStoppingBegan(call[0]));
    hooks.put(
        EARLY_STOPPING_ENDED,
        (call, thrown) -> {
          EarlyStoppingResult<?> result = (EarlyStoppingResult<?>) call[call.length - 1];
          fits.earlyStoppingEnded(call[0], result, thrown);
        });
    hooks.put(
        EARLY_STOPPING_EPOCH,
        (call, thrown) -> {
          boolean starts = (Boolean) call[1];
          if (!starts) {
            fits.earlyStoppingEpochEnded((Integer) call[3]);
          }
        });
    hooks.put(PARALLEL_FIT_STARTED, (call, thrown) -> fits.parallelFitBegan(call[0], call[1]));
    hooks.put(PARALLEL_FIT_ENDED, (call, thrown) -> fits.parallelFitEnded(call[0], thrown));
    hooks.put(WORKER_STARTED, (call, thrown) -> fits.workerBegan(call[0]));
    hooks.put(EVALUATION_STARTED, (call, thrown) -> fits.evaluationBegan((Model) call[0]));
    hooks.put(EVALUATION_ENDED, (call, thrown) -> fits.evaluationEnded((Model) call[0]));
    hooks.put(
        LISTENER_EVALUATED, (call, thrown) -> fits.mayHaveEvaluated((EvaluativeListener) call[0]));
    for (HookPoint ended :
        new HookPoint[] {
          NETWORK_FIT_ENDED,
          NETWORK_EPOCH_ENDED,
          NETWORK_BATCH_ENDED,
          PRETRAINING_ENDED,
          LAYER_ENDED,
          WORKER_ENDED
        }) {
      hooks.put(ended, (call, thrown) -> fits.ended(call[0], thrown));
    }
    return hooks;
  }
}
