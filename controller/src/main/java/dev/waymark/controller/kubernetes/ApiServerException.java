package dev.waymark.controller.kubernetes;

/** A refusal of the API server; the message is the server's own. */
public final class ApiServerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int code;

  ApiServerException(int code, String message) {
    // Where an answer was read tells nobody anything, and is costly to write down.
    super(message, null, /* enableSuppression= */ true, /* writableStackTrace= */ false);
    this.code = code;
  }

  /** HTTP status of the answer. */
  public int code() {
    return code;
  }

  public boolean isNotFound() {
    return code == 404;
  }

  /** Somebody else changed the object, or it is there already. */
  public boolean isConflict() {
    return code == 409;
  }

  /** The object is wrong: nothing helps but another object. */
  public boolean isInvalid() {
    return code == 422 || code == 400;
  }
}
