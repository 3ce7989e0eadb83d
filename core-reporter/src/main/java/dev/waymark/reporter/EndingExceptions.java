package dev.waymark.reporter;

import java.util.Collection;
import java.util.Set;

/**
 * What it means for a run that something was thrown out of its training: a failure, except for the
 * exceptions by which a framework ends a training on purpose.
 *
 * <p>Knows those by name, so that it refers to no class of the framework's.
 */
public final class EndingExceptions {
  private final Set<String> early;
  private final Set<String> divergence;

  private EndingExceptions(Collection<String> early, Collection<String> divergence) {
    this.early = Set.copyOf(early);
    this.divergence = Set.copyOf(divergence);
  }

  /**
   * The exceptions of a framework, by the names of their classes; subclasses are meant too.
   *
   * @param early those that end a training early; may be empty
   * @param divergence those that end one that has diverged; may be empty
   */
  public static EndingExceptions of(Collection<String> early, Collection<String> divergence) {
    return new EndingExceptions(early, divergence);
  }

  /** Ends the run as is right for what was thrown. */
  public void end(TrainingRun run, Throwable thrown) {
    if (isOneOf(early, thrown)) {
      run.stoppedEarly();
    } else if (isOneOf(divergence, thrown)) {
      run.diverged();
    } else {
      run.failed(thrown);
    }
  }

  private static boolean isOneOf(Set<String> names, Throwable thrown) {
    for (Class<?> c = thrown.getClass(); c != null; c = c.getSuperclass()) {
      if (names.contains(c.getName())) {
        return true;
      }
    }
    return false;
  }
}
