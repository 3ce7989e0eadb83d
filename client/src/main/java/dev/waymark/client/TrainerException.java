package dev.waymark.client;

import dev.waymark.trainer.api.FieldProblem;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why a call didn't do what it was asked. Every message is a sentence for the person at the
 * keyboard: what is wrong, where, and what would be right. A programmer's mistake, such as a null,
 * is none of these.
 */
public abstract sealed class TrainerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private TrainerException(String message, Throwable cause) {
    super(message, cause);
  }

  /** What is asked for is not there, or has gone. */
  public static final class NotFound extends TrainerException {
    private static final long serialVersionUID = 1L;

    NotFound(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** What is to be made is there already, or was changed by somebody else at the same time. */
  public static final class Conflict extends TrainerException {
    private static final long serialVersionUID = 1L;

    Conflict(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * What is asked for makes no sense; found out here, by the API server, or by an admission
   * webhook.
   */
  public static final class Invalid extends TrainerException {
    private static final long serialVersionUID = 1L;

    private final transient List<FieldProblem> problems;

    Invalid(String title, List<FieldProblem> problems) {
      super(
          problems.stream()
              .map(problem -> title + ": " + text(problem))
              .collect(Collectors.joining("\n")),
          null);
      this.problems = List.copyOf(problems);
    }

    Invalid(String message, List<FieldProblem> problems, Throwable cause) {
      super(message, cause);
      this.problems = List.copyOf(problems);
    }

    private static String text(FieldProblem problem) {
      return problem.field().isEmpty() ? problem.message() : problem.toString();
    }

    /** By field; may be empty where the cluster names none. */
    public List<FieldProblem> problems() {
      return problems;
    }
  }

  /** The time that the caller gave is over. */
  public static final class TimedOut extends TrainerException {
    private static final long serialVersionUID = 1L;

    TimedOut(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * A TrainJob has ended in another way than the caller waits for, and will not change any more.
   */
  public static final class Failed extends TrainerException {
    private static final long serialVersionUID = 1L;

    private final transient Training training;

    Failed(String message, Training training) {
      super(message, null);
      this.training = training;
    }

    /** As it was then. */
    public Training training() {
      return training;
    }
  }

  /** This version, this cluster or this runtime can't do that. */
  public static final class Unsupported extends TrainerException {
    private static final long serialVersionUID = 1L;

    Unsupported(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The cluster doesn't take the caller's credentials: they are wrong, or have expired. */
  public static final class NotLoggedIn extends TrainerException {
    private static final long serialVersionUID = 1L;

    NotLoggedIn(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The cluster knows the caller, who has no right to do that. */
  public static final class Denied extends TrainerException {
    private static final long serialVersionUID = 1L;

    Denied(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The cluster doesn't answer, or there is none; it may be worth another try. */
  public static final class Unreachable extends TrainerException {
    private static final long serialVersionUID = 1L;

    Unreachable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The cluster answers that it can't for now; it may be worth another try. */
  public static final class Unavailable extends TrainerException {
    private static final long serialVersionUID = 1L;

    Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Whether the same call may succeed a little later. */
  boolean isTransient() {
    return this instanceof Unreachable || this instanceof Unavailable;
  }
}
