package dev.waymark.status;

/** A body that is no status request. Its message is for the log; the client doesn't see it. */
final class InvalidPayloadException extends Exception {

  InvalidPayloadException(String message) {
    super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
  }
}
