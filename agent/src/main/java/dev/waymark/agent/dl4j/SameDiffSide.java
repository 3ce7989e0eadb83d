package dev.waymark.agent.dl4j;

import static dev.waymark.agent.weave.HookPoint.SAMEDIFF_CREATED;
import static dev.waymark.agent.weave.HookPoint.SAMEDIFF_EPOCH_ENDED;
import static dev.waymark.agent.weave.HookPoint.SAMEDIFF_FIT_ENDED;
import static dev.waymark.agent.weave.HookPoint.SAMEDIFF_FIT_STARTED;
import static dev.waymark.agent.weave.HookPoint.SAMEDIFF_ITERATION_ENDED;
import static dev.waymark.agent.weave.HookPoint.SAMEDIFF_ITERATION_STARTED;
import static dev.waymark.agent.weave.HookPoint.SAMEDIFF_OUTPUT_ENDED;
import static dev.waymark.agent.weave.HookPoint.SAMEDIFF_OUTPUT_STARTED;
import static dev.waymark.agent.weave.HookPoint.SAMEDIFF_VALIDATED;

import dev.waymark.agent.weave.HookPoint;
import dev.waymark.dl4j.SameDiffFits;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
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
public final class SameDiffSide
    implements Supplier<Map<HookPoint, BiConsumer<Object[], Throwable>>> {
  private final SameDiffFits fits = new SameDiffFits();

  /** Called by reflection. */
  public SameDiffSide() {}

  /** What is called at each hook point: with the call's arguments, the receiver first. */
  @Override
  @SuppressWarnings("unchecked")
  public Map<HookPoint, BiConsumer<Object[], Throwable>> get() {
    return Map.of(
        SAMEDIFF_CREATED,
        (call, thrown) -> fits.created((SameDiff) call[0]),
        SAMEDIFF_FIT_STARTED,
        (call, thrown) ->
            fits.fitBegan(
                (SameDiff) call[0],
                call[1],
                (Integer) call[2],
                (Boolean) call[3],
                call[4],
                (Integer) call[5]),
        SAMEDIFF_FIT_ENDED,
        (call, thrown) -> fits.fitEnded((SameDiff) call[0], thrown),
        SAMEDIFF_ITERATION_STARTED,
        (call, thrown) ->
            fits.iterationBegan(
                (TrainingSession) call[0], (Map<String, ?>) call[2], (List<String>) call[6]),
        SAMEDIFF_ITERATION_ENDED,
        (call, thrown) ->
            fits.iterationEnded((TrainingConfig) call[1], (At) call[8], (Loss) call[9], thrown),
        SAMEDIFF_OUTPUT_STARTED,
        (call, thrown) ->
            fits.outputBegan(call[0], (List<String>) call[1], (Collection<String>) call[4]),
        SAMEDIFF_OUTPUT_ENDED,
        (call, thrown) -> fits.outputEnded(call[0], thrown),
        SAMEDIFF_EPOCH_ENDED,
        (call, thrown) -> fits.epochEnded((At) call[2], (EvaluationRecord) call[5]),
        SAMEDIFF_VALIDATED,
        (call, thrown) -> fits.validated((EvaluationRecord) call[4]));
  }
}
