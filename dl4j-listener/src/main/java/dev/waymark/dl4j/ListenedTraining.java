package dev.waymark.dl4j;

import dev.waymark.reporter.TrainingRun;
import dev.waymark.reporter.Turn;
import dev.waymark.reporter.Turn.Hold;
import dev.waymark.reporter.UncaughtFailure;

/**
 * The training of one model as a listener in its list sees it: begins a run with the first event
 * and tells from the events when it is over. Steps may come from several threads.
 */
final class ListenedTraining implements Figures {
  private final int totalEpochs;
  private final long batchesPerEpoch;
  private final Turn turn = new Turn();
  private volatile TrainingRun run;
  private volatile boolean inEpoch;
  private volatile boolean presumed;

  /** What is due with the next step, whatever the time. */
  private volatile Due dueNext = Due.NOTHING;

  /**
   * @param totalEpochs epochs planned in all, 0 if unknown
   * @param batchesPerEpoch 0 if unknown
   */
  ListenedTraining(int totalEpochs, long batchesPerEpoch) {
    this.totalEpochs = totalEpochs;
    this.batchesPerEpoch = batchesPerEpoch;
  }

  /**
   * A pass over the data begins.
   *
   * @param at where the model stands
   */
  void epochBegan(Counters at) {
    if (isOver() || (presumed && run.isPlanDone())) {
      begin(at, true);
    }
    run.withdrawPresumption();
    presumed = false;
    if (dueNext == Due.NOTHING) {
      dueNext = Due.CHEAP;
    }
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
    if (!inEpoch && isOver()) {
      begin(at, false);
    }
    TrainingRun present = run;
    turn.stepped();
    if (loss == null) {
      present.step();
    } else {
      present.step(loss);
    }
    if (!inEpoch && !presumed) {
      presumed = true;
      present.presumeCompleted(UntoldEnd.QUIET, false);
    }
    UncaughtFailure.watch(present, UntoldEnd.ALL_ARE_FAILURES);
    Due due = dueNext;
    dueNext = Due.NOTHING;
    return present.sampleDue() ? Due.ALL : due;
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
  public void learningRate(double rate) {
    TrainingRun present = run;
    if (present != null) {
      present.learningRate(rate);
    }
  }

  @Override
  public void metric(String name, double value) {
    TrainingRun present = run;
    if (present != null) {
      present.metric(name, value);
    }
  }

  private boolean isOver() {
    TrainingRun present = run;
    return present == null || present.hasEnded() || turn.isFreeAgain();
  }

  /** Several threads may make the first step. */
  private synchronized void begin(Counters at, boolean withEpochs) {
    boolean first = run == null;
    if (!first && !isOver() && !run.isPlanDone()) {
      return;
    }
    turn.over();
    TrainingRun begun = turn.take(TrainingRun::start);
    turn.hold(Hold.UNTIL_YOUNGER);
    if (first) {
      at.asStart(withEpochs).resume(begun, withEpochs);
    }
    begun.plan(totalEpochs, batchesPerEpoch);
    dueNext = begun.isReported() ? Due.ALL : Due.NOTHING;
    presumed = false;
    run = begun;
  }
}
