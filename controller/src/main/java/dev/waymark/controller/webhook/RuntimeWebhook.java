package dev.waymark.controller.webhook;

import dev.waymark.plan.Refusal;
import dev.waymark.plan.RuntimeValidator;
import dev.waymark.trainer.api.RuntimeResource;
import java.util.List;

/**
 * Decides about runtimes of one kind, when they are made and when they change: upstream lets
 * changes of TrainingRuntimes pass unseen (kubeflow/trainer#3686). A change that leaves the spec as
 * it is is taken before anything is read, so that a runtime of an earlier version can be deleted.
 */
final class RuntimeWebhook implements Webhook {

  private final Class<? extends RuntimeResource> kind;

  RuntimeWebhook(Class<? extends RuntimeResource> kind) {
    this.kind = kind;
  }

  @Override
  public Decision review(AdmissionRequest request) throws UnreadableObjectException {
    if (request.leavesSpecAsItIs()) {
      return Decision.ALLOWED;
    }
    RuntimeResource runtime = TypedObjects.read(request.object(), kind);
    return request.operation().equals(AdmissionRequest.CREATE)
        ? Refusals.decide(RuntimeValidator.create(runtime), RuntimeValidator.warnings(runtime))
        : Refusals.decide(update(request, runtime), List.of());
  }

  private List<Refusal> update(AdmissionRequest request, RuntimeResource runtime) {
    try {
      return RuntimeValidator.update(TypedObjects.read(request.oldObject(), kind), runtime);
    } catch (UnreadableObjectException e) {
      // There is nothing to compare with, and the change may well mend it.
      return RuntimeValidator.create(runtime);
    }
  }
}
