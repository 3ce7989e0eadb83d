package dev.waymark.djl;

import dev.waymark.reporter.TrainingRun;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * One trainer's turn to be reported, among all trainers of the process.
 *
 * <p>Trainers come in turn (k-fold, a search) or at once (the two of a GAN), and no callback says
 * which. A trainer that was constructed after another one's last step comes after it: the other is
 * over. One that was there before and steps in between is the second of two at once, of which only
 * the first is reported.
 */
final class Turn {
  /** How firmly a trainer holds its turn when another one starts. */
  enum Hold {
    /** It trains: whoever starts now is the second of two at once. */
    FIRM,
    /**
     * Nobody says whether it goes on: it is over if the other was constructed since its last step.
     */
    UNTIL_YOUNGER,
    /** It has done what it was to do. */
    LOOSE
  }

  /** Not the time but the order of constructions and steps. */
  private static final AtomicLong ORDER = new AtomicLong();

  private static final Object LOCK = new Object();

  private static Turn reported;

  private final long constructedAt = ORDER.incrementAndGet();
  private final Runnable whenOver;
  private volatile long lastStepAt = constructedAt;
  private volatile Hold hold = Hold.LOOSE;
  private volatile TrainingRun run;
  private volatile Turn blockedBy;

  /**
   * Creates the turn of a trainer under construction.
   *
   * @param whenOver ends the run when another trainer's start shows that this one is over
   */
  Turn(Runnable whenOver) {
    this.whenOver = whenOver;
  }

  /**
   * Starts a run for this trainer, and first ends the one of a trainer that is over.
   *
   * @return the run, not reported if it is not this trainer's turn
   */
  TrainingRun take(Supplier<TrainingRun> start) {
    synchronized (LOCK) {
      Turn other = reported;
      if (other != null && other != this && other.yieldsTo(this)) {
        other.whenOver.run();
      }
      run = start.get();
      hold = Hold.FIRM;
      boolean refused = !run.isReported() && other != null && other != this;
      blockedBy = refused && !other.run.hasEnded() ? other : null;
      if (run.isReported()) {
        reported = this;
      }
      return run;
    }
  }

  void hold(Hold newHold) {
    hold = newHold;
  }

  void stepped() {
    lastStepAt = ORDER.incrementAndGet();
  }

  /** Whether the trainer that kept this one from its turn has ended. */
  boolean isFreeAgain() {
    Turn blocking = blockedBy;
    return blocking != null && blocking.run.hasEnded();
  }

  private boolean yieldsTo(Turn next) {
    return !run.hasEnded() && yields(hold, lastStepAt, next.constructedAt);
  }

  static boolean yields(Hold hold, long lastStepAt, long nextConstructedAt) {
    return hold == Hold.LOOSE || (hold == Hold.UNTIL_YOUNGER && lastStepAt < nextConstructedAt);
  }
}
