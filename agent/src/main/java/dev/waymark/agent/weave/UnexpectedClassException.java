package dev.waymark.agent.weave;

/** A framework's class is not what the agent knows; the message says how, for a log line. */
public final class UnexpectedClassException extends Exception {
  private static final long serialVersionUID = 1L;

  UnexpectedClassException(String message) {
    super(message);
  }
}
