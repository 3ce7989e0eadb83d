package dev.waymark.agent.dl4j;

import dev.waymark.agent.weave.FrameworkSide;
import dev.waymark.agent.weave.HookPoint;
import dev.waymark.dl4j.SameDiffFits;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.records.EvaluationRecord;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.autodiff.samediff.internal.TrainingSession;

/**
 * Says what is told of the SameDiff instances of one copy of ND4J at each hook point. Lives beside
 * that copy, with or without Deeplearning4j.
 */
public final class SameDiffSide implements FrameworkSide {
  private final SameDiffFits fits = new SameDiffFits();

  /** Called by reflection. */
  public SameDiffSide() {}

  /**
   * What comes with each iteration comes first, and not by a switch, which has a table to look
   * into.
   */
  @Override
  @SuppressWarnings("unchecked")
  public void at(HookPoint point, Object[] call, Throwable thrown) {
    if (point == HookPoint.SAMEDIFF_OUTPUT_STARTED) {
      if (fits.isAsking()) {
        fits.outputBegan(call[0], (List<String>) call[1], (Collection<String>) call[4]);
      }
    } else if (point == HookPoint.SAMEDIFF_OUTPUT_ENDED) {
      if (fits.isAsking()) {
        fits.outputEnded(call[0], thrown);
      }
    } else if (point == HookPoint.SAMEDIFF_ITERATION_STARTED) {
      fits.iterationBegan(
          (TrainingSession) call[0], (Map<String, ?>) call[2], (List<String>) call[6]);
    } else if (point == HookPoint.SAMEDIFF_ITERATION_ENDED) {
      fits.iterationEnded((TrainingConfig) call[1], (At) call[8], (Loss) call[9], thrown);
    } else {
      atTheRest(point, call, thrown);
    }
  }

  private void atTheRest(HookPoint point, Object[] call, Throwable thrown) {
    switch (point) {
      case SAMEDIFF_CREATED:
        fits.created((SameDiff) call[0]);
        break;
      case SAMEDIFF_FIT_STARTED:
        fits.fitBegan(
            (SameDiff) call[0],
            call[1],
            (Integer) call[2],
            (Boolean) call[3],
            call[4],
            (Integer) call[5]);
        break;
      case SAMEDIFF_FIT_ENDED:
        fits.fitEnded((SameDiff) call[0], thrown);
        break;
      case SAMEDIFF_EPOCH_ENDED:
        fits.epochEnded((At) call[2], (EvaluationRecord) call[5]);
        break;
      case SAMEDIFF_VALIDATED:
        fits.validated((EvaluationRecord) call[4]);
        break;
      default:
        throw new IllegalArgumentException("no hook point of SameDiff: " + point);
    }
  }
}
