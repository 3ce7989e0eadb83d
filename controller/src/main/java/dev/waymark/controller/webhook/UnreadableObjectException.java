package dev.waymark.controller.webhook;

/** An object whose fields have wrong types; the message names them. */
final class UnreadableObjectException extends Exception {

  private static final long serialVersionUID = 1L;

  UnreadableObjectException(String message) {
    super(message);
  }
}
