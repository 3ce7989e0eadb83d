package dev.waymark.reporter;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * One trainer's turn to be reported, among all trainers of the process, of whatever framework. For
 * the listeners of frameworks, which may be several in a JVM.
 *
 * <p>Trainers come in turn (k-fold, a search) or at once (the two of a GAN), and no callback says
 * which. A trainer that was constructed after another one's last step comes after it: the other is
 * over. One that was there before and steps in between is the second of two at once, of which only
 * the first is reported. It comes after it all the same if it then trains for two epochs without a
 * step of the first, which the two of a GAN don't.
 *
 * <p>Safe for any thread. Outlives its trainer, so it refers to nothing of the framework's.
 */
public final class Turn {
  /** How firmly a trainer holds its turn when another one starts. */
  public enum Hold {
    /** It trains: whoever starts now is the second of two at once. */
    FIRM,
    /**
     * Nobody says whether it goes on: it is over if the other was constructed since its last step.
     */
    UNTIL_YOUNGER,
    /** It has done what it was to do. */
    LOOSE
  }

  /** Whole epochs without a step of the other, after which two trainers don't train at once. */
  private static final int EPOCHS_ALONE = 2;

  /**
   * Not the time but the order of constructions and steps. It moves on with each construction, and
   * with each look at whether another trainer has stepped; steps only read it, as there are many.
   */
  private static final AtomicLong CLOCK = new AtomicLong();

  private static final Object LOCK = new Object();

  private static Turn reported;

  private final long constructedAt;
  private volatile long lastStepAt;
  private volatile Hold hold = Hold.LOOSE;
  private volatile boolean midway;
  private volatile TrainingRun run = TrainingRun.inert();
  private volatile Turn blockedBy;

  /** When it was looked last whether the one that blocks has stepped. */
  private long lookedAt;

  /** Whole epochs without a step of that one. */
  private int epochsAlone;

  /** Creates the turn of a trainer under construction. */
  public Turn() {
    this(CLOCK.incrementAndGet());
  }

  private Turn(long constructedAt) {
    this.constructedAt = constructedAt;
    lastStepAt = constructedAt;
  }

  /** Creates the turn of another trainer, which counts as constructed when this one was. */
  public Turn anotherAsOld() {
    return new Turn(constructedAt);
  }

  /**
   * Starts a run for this trainer, which it holds firmly, and first ends the run of another trainer
   * that is over.
   *
   * @param start starts the run; called at once, on this thread
   * @return the run, not reported if it is not this trainer's turn
   */
  public TrainingRun take(Supplier<TrainingRun> start) {
    synchronized (LOCK) {
      Turn other = reported;
      if (other != null && other != this && other.yieldsTo(this)) {
        other.over();
      }
      run = start.get();
      hold = Hold.FIRM;
      midway = false;
      boolean refused = !run.isReported() && other != null && other != this;
      Turn blockedBefore = blockedBy;
      blockedBy = refused && !other.run.hasEnded() ? other : null;
      if (blockedBy != null && (hasStepped(other) || other != blockedBefore)) {
        epochsAlone = 0;
      }
      if (run.isReported()) {
        reported = this;
      }
      return run;
    }
  }

  /** Says how firmly the trainer holds its turn from now on. */
  public void hold(Hold newHold) {
    hold = newHold;
  }

  /**
   * Says whether the trainer is in the middle of something (an epoch, say), so that to be over now
   * is to be stopped early, whatever the plan.
   */
  public void midway(boolean inTheMiddle) {
    midway = inTheMiddle;
  }

  /**
   * The trainer has made a step. The one that keeps it from its turn is over if it has done all.
   */
  public void stepped() {
    long now = CLOCK.get();
    if (lastStepAt != now) {
      lastStepAt = now;
    }
    Turn blocking = blockedBy;
    if (blocking != null && blocking.hold == Hold.LOOSE) {
      blocking.over();
    }
  }

  /**
   * The trainer has trained for a whole epoch. The one that keeps it from its turn is over if that
   * was another one without a step of it, unless it is within something: then somebody will say how
   * that ends.
   */
  public void epochTrained() {
    Turn blocking = blockedBy;
    if (blocking == null) {
      return;
    }
    synchronized (LOCK) {
      epochsAlone = hasStepped(blocking) ? 0 : epochsAlone + 1;
      if (isOver(blocking.firmness(), blocking.midway, epochsAlone)) {
        blocking.over();
      }
    }
  }

  private boolean hasStepped(Turn blocking) {
    boolean stepped = blocking.lastStepAt >= lookedAt;
    lookedAt = CLOCK.incrementAndGet();
    return stepped;
  }

  static boolean isOver(Hold hold, boolean midway, int epochsOfOther) {
    return hold != Hold.FIRM && !midway && epochsOfOther >= EPOCHS_ALONE;
  }

  /** Whether the trainer that kept this one from its turn has ended. */
  public boolean isFreeAgain() {
    Turn blocking = blockedBy;
    return blocking != null && blocking.run.hasEnded();
  }

  /**
   * Nothing more is trained: the trainer was closed, or what has started now shows it. Ends the run
   * as {@link TrainingRun#over} does, or as stopped early if the trainer is {@linkplain #midway in
   * the middle} of something.
   */
  public void over() {
    if (midway) {
      run.stoppedEarly();
    } else {
      run.over();
    }
  }

  private boolean yieldsTo(Turn next) {
    return !run.hasEnded() && yields(firmness(), lastStepAt, next.constructedAt);
  }

  /** Within a call that tells its end it trains, whatever was said before. */
  private Hold firmness() {
    return run.isBusy() ? Hold.FIRM : hold;
  }

  static boolean yields(Hold hold, long lastStepAt, long nextConstructedAt) {
    return hold == Hold.LOOSE || (hold == Hold.UNTIL_YOUNGER && lastStepAt < nextConstructedAt);
  }
}
