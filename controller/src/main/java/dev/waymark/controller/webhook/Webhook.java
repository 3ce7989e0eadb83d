package dev.waymark.controller.webhook;

/** Decides about objects that are about to be stored. */
interface Webhook {

  /**
   * Decides. May wait for the cluster; called by several threads at a time.
   *
   * @param request stores an object, see {@link AdmissionRequest#storesObject()}
   * @throws UnreadableObjectException when an object has fields of wrong types
   */
  Decision review(AdmissionRequest request) throws UnreadableObjectException;
}
