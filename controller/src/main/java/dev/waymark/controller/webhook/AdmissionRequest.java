package dev.waymark.controller.webhook;

import com.fasterxml.jackson.databind.JsonNode;

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
}
