package dev.waymark.plan;

/**
 * What a TrainJob asks for in vain, told to the person who wrote it.
 *
 * @param reason which kind of thing it is
 * @param message what has no effect, and why
 */
public record PlanWarning(Reason reason, String message) {

  /** Kinds of things that have no effect. */
  public enum Reason {
    /** The agent was asked for, and where the JVM's options come from can't be seen. */
    AGENT_NOT_INJECTED,
    /** There is a {@code spec.trainer}, and no job of the runtime trains. */
    NO_TRAINER_JOB
  }

  /** The message. */
  @Override
  public String toString() {
    return message;
  }
}
