package dev.waymark.controller.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.waymark.plan.PatchTimes;
import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.TrainJob;
import java.time.Clock;
import java.util.List;
import java.util.Objects;

/**
 * Notes when each runtime patch of a TrainJob was last changed; all other defaults are the CRD's.
 *
 * <p>It also refuses objects whose fields have wrong types, which is an oddity of upstream: its
 * defaulter is the first one to read them, so clients see 400, not the schema's 422.
 */
final class TrainJobDefaulter implements Webhook {

  private final Clock clock;

  TrainJobDefaulter(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Decision review(AdmissionRequest request) throws UnreadableObjectException {
    if (request.leavesTrainingAsItIs()) {
      return Decision.ALLOWED;
    }
    TrainJob trainJob = TypedObjects.read(request.object(), TrainJob.class);
    checkTimes(trainJob);
    List<RuntimePatch> stamped = PatchTimes.stamp(old(request), trainJob, clock.instant());
    ArrayNode changes = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < stamped.size(); i++) {
      RuntimePatch patch = stamped.get(i);
      // One that is null is the schema's to refuse.
      if (patch != null
          && !Objects.equals(patch.time(), trainJob.getSpec().runtimePatches().get(i).time())) {
        changes
            .addObject()
            .put("op", "add")
            .put("path", "/spec/runtimePatches/" + i + "/time")
            .put("value", patch.time());
      }
    }
    return changes.isEmpty() ? Decision.ALLOWED : new Decision.Allowed(changes, List.of());
  }

  private static void checkTimes(TrainJob trainJob) throws UnreadableObjectException {
    List<FieldProblem> problems = PatchTimes.problems(trainJob);
    if (!problems.isEmpty()) {
      throw new UnreadableObjectException(Texts.joined(problems));
    }
  }

  /** Null for a new TrainJob, and for one that couldn't be read: its change may well mend it. */
  private static TrainJob old(AdmissionRequest request) {
    try {
      return request.oldObject() == null
          ? null
          : TypedObjects.read(request.oldObject(), TrainJob.class);
    } catch (UnreadableObjectException e) {
      return null;
    }
  }
}
