package dev.waymark.agent.dl4j;

import dev.waymark.agent.weave.FrameworkSide;
import dev.waymark.agent.weave.HookPoint;
import dev.waymark.dl4j.ModelFits;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;

/**
 * Says what is told of the networks of one copy of Deeplearning4j at each hook point. Lives beside
 * that copy.
 */
public final class Dl4jSide implements FrameworkSide {
  private final ModelFits fits = new ModelFits();

  /** Called by reflection. */
  public Dl4jSide() {}

  /**
   * What comes with each iteration comes first, and not by a switch, which has a table to look
   * into.
   */
  @Override
  public void at(HookPoint point, Object[] call, Throwable thrown) {
    if (point == HookPoint.ITERATION_DONE) {
      fits.iterationDone((Model) call[0]);
    } else if (point == HookPoint.NETWORK_BATCH_STARTED) {
      fits.batchBegan((Model) call[0]);
    } else if (point == HookPoint.NETWORK_BATCH_ENDED) {
      fits.ended(call[0], thrown);
    } else {
      atTheRest(point, call, thrown);
    }
  }

  private void atTheRest(HookPoint point, Object[] call, Throwable thrown) {
    switch (point) {
      case NETWORK_FIT_ENDED:
      case NETWORK_EPOCH_ENDED:
      case PRETRAINING_ENDED:
      case LAYER_ENDED:
      case WORKER_ENDED:
        fits.ended(call[0], thrown);
        break;
      case NETWORK_CREATED:
        fits.created((Model) call[0]);
        break;
      case NETWORK_FIT_STARTED:
        fits.fitBegan((Model) call[0], call[1], (Integer) call[2]);
        break;
      case NETWORK_EPOCH_STARTED:
        fits.epochBegan((Model) call[0], call[1]);
        break;
      case PRETRAINING_STARTED:
        fits.pretrainingBegan((Model) call[0], call[1], (Integer) call[2]);
        break;
      case LAYER_STARTED:
        fits.layerBegan((Model) call[0], call[1], call[2], (Integer) call[3]);
        break;
      case WORKER_STARTED:
        fits.workerBegan(call[0]);
        break;
      case PARALLEL_FIT_STARTED:
        fits.parallelFitBegan(call[0], call[1]);
        break;
      case PARALLEL_FIT_ENDED:
        fits.parallelFitEnded(call[0], thrown);
        break;
      case EVALUATION_STARTED:
        fits.evaluationBegan((Model) call[0]);
        break;
      case EVALUATION_ENDED:
        fits.evaluationEnded((Model) call[0]);
        break;
      case LISTENER_EVALUATED:
        fits.mayHaveEvaluated((EvaluativeListener) call[0]);
        break;
      default:
        atEarlyStopping(point, call, thrown);
    }
  }

  private void atEarlyStopping(HookPoint point, Object[] call, Throwable thrown) {
    switch (point) {
      case EARLY_STOPPING_STARTED:
        fits.earlyStoppingBegan(call[0]);
        break;
      case EARLY_STOPPING_ENDED:
        fits.earlyStoppingEnded(call[0], (EarlyStoppingResult<?>) call[call.length - 1], thrown);
        break;
      case EARLY_STOPPING_EPOCH:
        boolean starts = (Boolean) call[1];
        if (!starts) {
          fits.earlyStoppingEpochEnded((Integer) call[3]);
        }
        break;
      default:
        throw new IllegalArgumentException("no hook point of Deeplearning4j: " + point);
    }
  }
}
