package dev.waymark.controller.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What the API server asks of a webhook.
 *
 * @param uid names the question; its answer bears it, too
 * @param operation such as {@code CREATE}
 * @param namespace of the object, null for one of the whole cluster
 * @param subresource such as {@code status}, or null
 * @param object as it would be stored; null when it would be deleted
 * @param oldObject as it is stored; null when it would be created
 */
record AdmissionRequest(
    String uid,
    String operation,
    String namespace,
    String subresource,
    JsonNode object,
    JsonNode oldObject) {

  static final String CREATE = "CREATE";
  static final String UPDATE = "UPDATE";

  /** Whether an object is to be stored; webhooks have nothing to say to all else. */
  boolean storesObject() {
    return subresource == null
        && object != null
        && (operation.equals(CREATE) || operation.equals(UPDATE) && oldObject != null);
  }

  /**
   * Whether a change is none of a TrainJob's training: one that leaves its spec as it is, or
   * changes no more of it than {@code suspend}. Such a change must always be taken, also of a
   * TrainJob that nobody can read, and whatever became of its runtime or of the cluster's settings:
   * otherwise nobody could stop it, or let it go.
   */
  boolean leavesTrainingAsItIs() {
    JsonNode suspend = object.path("spec").path("suspend");
    return leavesSpecAsItIs()
        || (oldObject != null
            && training(oldObject).equals(training(object))
            && (suspend.isMissingNode() || suspend.isNull() || suspend.isBoolean()));
  }

  /**
   * Whether a change is one of labels, finalizers and the like, or whatever else of an object that
   * is being deleted. It must be taken of an object that nobody can read, too.
   */
  boolean leavesSpecAsItIs() {
    return oldObject != null
        && (object.path("metadata").hasNonNull("deletionTimestamp")
            || oldObject.path("spec").equals(object.path("spec")));
  }

  private static JsonNode training(JsonNode trainJob) {
    JsonNode spec = trainJob.path("spec").deepCopy();
    if (spec instanceof ObjectNode fields) {
      fields.remove("suspend");
    }
    return spec;
  }
}
