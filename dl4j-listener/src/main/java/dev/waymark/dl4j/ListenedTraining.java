package dev.waymark.dl4j;

import dev.waymark.reporter.TrainingRun;
import dev.waymark.reporter.Turn;
import dev.waymark.reporter.Turn.Hold;
import dev.waymark.reporter.UncaughtFailure;
import java.util.function.Supplier;

/**
 * The training of one model as a listener in its list sees it: begins a run with the first event
 * and tells from the events when it is over. Steps may come from several threads.
 */
final class ListenedTraining implements Figures {
  private static final long NO_THREAD = 0;

  private final int totalEpochs;
  private final long batchesPerEpoch;
  private final Supplier<TrainingRun> newRun;
  private volatile Turn turn = new Turn();

  /** What a loop of batches counts as old as; null if as old as this. */
  private volatile ListenedTraining elder;

  private volatile TrainingRun run;
  private volatile boolean inEpoch;
  private volatile boolean presumed;

  /** Where the model stood when the present epoch began. */
  private volatile Counters epochBeganAt = Counters.ZERO;

  /**
   * Where it stood when its present run began, if an earlier one was reported: each further run
   * begins anew. As long as none was, all that was done before counts.
   */
  private volatile Counters countedFrom = Counters.ZERO;

  /** What is due with the next step, whatever the time. */
  private volatile Due dueNext = Due.NOTHING;

  /** The thread of the last step, by its number: it is watched for what is thrown on it. */
  private volatile long watchedThread = NO_THREAD;

  /**
   * @param totalEpochs epochs planned in all, 0 if unknown
   * @param batchesPerEpoch 0 if unknown
   */
  ListenedTraining(int totalEpochs, long batchesPerEpoch) {
    this(totalEpochs, batchesPerEpoch, TrainingRun::start);
  }

  ListenedTraining(int totalEpochs, long batchesPerEpoch, Supplier<TrainingRun> newRun) {
    this.totalEpochs = totalEpochs;
    this.batchesPerEpoch = batchesPerEpoch;
    this.newRun = newRun;
  }

  /**
   * Of models that share a listener nothing shows which was made first. One that is trained batch
   * by batch may be the second of a GAN, and counts as old as the first; one with epochs comes
   * after the one before.
   */
  ListenedTraining besides(ListenedTraining first) {
    elder = first;
    return this;
  }

  /**
   * A pass over the data begins.
   *
   * @param at where the model stands
   */
  void epochBegan(Counters at) {
    if (inEpoch) {
      // An exception has broken off the last one. The program has caught it, and trains anew.
      turn.over();
    }
    if (isOver() || (presumed && run.isPlanDone())) {
      begin(at, true);
    }
    run.withdrawPresumption();
    presumed = false;
    if (dueNext == Due.NOTHING) {
      dueNext = Due.CHEAP;
    }
    epochBeganAt = at;
    inEpoch = true;
    turn.hold(Hold.UNTIL_YOUNGER);
    turn.midway(true);
  }

  /**
   * An iteration is done.
   *
   * @param loss null if unknown, so that an earlier one stays
   * @param at where the model stood before it
   * @return what of {@link #learningRate} and {@link #metric} is to be told now
   */
  Due step(Double loss, Counters at) {
    if (inEpoch) {
      beginMidway(at);
    } else if (isOver()) {
      begin(at, false);
    }
    TrainingRun present = run;
    turn.stepped();
    boolean look = loss == null ? present.stepAndLook() : present.stepAndLook(loss);
    boolean sample = look && present.sampleDue();
    if (!inEpoch && !presumed) {
      presumed = true;
      present.presumeCompleted(UntoldEnd.QUIET, false);
    }
    Due due = due(present, sample);
    long thread = Thread.currentThread().getId();
    if (thread != watchedThread || due != Due.NOTHING) { // now and then: the handler may change
      watchedThread = thread;
      UncaughtFailure.watch(present, UntoldEnd.ALL_ARE_FAILURES);
    }
    return due;
  }

  /** The cheap ones with each batch that is trained by itself, for it may be the last. */
  private Due due(TrainingRun present, boolean sample) {
    Due due = dueNext;
    if (due != Due.NOTHING) {
      dueNext = Due.NOTHING;
    }
    if (sample) {
      return Due.ALL;
    }
    return due == Due.NOTHING && !inEpoch && present.isReported() ? Due.CHEAP : due;
  }

  /** The pass has ended, and an evaluation may come. */
  void epochEnded() {
    if (!inEpoch) {
      return; // its beginning belonged to a run that is over
    }
    inEpoch = false;
    presumed = true;
    run.epochEnded();
    turn.midway(false);
    turn.epochTrained();
    boolean done = run.isPlanDone();
    if (done) {
      turn.hold(Hold.LOOSE);
      run.presumeOver(UntoldEnd.QUIET, true);
    } else {
      turn.hold(Hold.UNTIL_YOUNGER);
      run.presumeCompleted(UntoldEnd.QUIET, false);
    }
  }

  @Override
  public TrainingRun run() {
    return run;
  }

  private boolean isOver() {
    TrainingRun present = run;
    return present == null || present.hasEnded() || turn.isFreeAgain();
  }

  /** Several threads may make the first step. */
  private synchronized void begin(Counters at, boolean withEpochs) {
    TrainingRun before = run;
    if (before != null && !isOver() && !before.isPlanDone()) {
      return;
    }
    if (before != null && before.isReported()) {
      countedFrom = at;
    }
    if (before == null && elder != null && !withEpochs) {
      turn = elder.turn.anotherAsOld();
    }
    TrainingRun begun = takeTurn();
    at.since(countedFrom).asStart(withEpochs).resume(begun, withEpochs);
    tellPlan(begun);
  }

  /** Goes on where the epoch is, once that is over which kept this model from being reported. */
  private void beginMidway(Counters at) {
    if (!turn.isFreeAgain()) {
      return;
    }
    synchronized (this) {
      if (turn.isFreeAgain()) {
        TrainingRun begun = takeTurn();
        Counters start = epochBeganAt.since(countedFrom).asStart(true);
        begun.resumedAtEpoch(start.epochs());
        begun.resumedAt(start.plus(at.since(epochBeganAt).iterations(), 0).iterations());
        tellPlan(begun);
        turn.midway(true);
      }
    }
  }

  private TrainingRun takeTurn() {
    turn.over();
    TrainingRun begun = turn.take(newRun);
    turn.hold(Hold.UNTIL_YOUNGER);
    return begun;
  }

  private void tellPlan(TrainingRun begun) {
    begun.plan(totalEpochs, batchesPerEpoch);
    dueNext = begun.isReported() ? Due.ALL : Due.NOTHING;
    presumed = false;
    watchedThread = NO_THREAD;
    run = begun;
  }
}
