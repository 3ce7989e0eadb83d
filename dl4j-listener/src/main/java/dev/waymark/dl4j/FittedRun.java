package dev.waymark.dl4j;

import dev.waymark.reporter.TrainingRun;
import dev.waymark.reporter.Turn;
import dev.waymark.reporter.Turn.Hold;
import dev.waymark.reporter.UncaughtFailure;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The run of one model through all its calls of fit: when it begins, goes on and ends.
 *
 * <ul>
 *   <li>A fit of several epochs, or an early stopping, is a run of its own. Where {@code
 *       WAYMARK_EPOCHS} plans more than such a fit, those in a row are one run.
 *   <li>Fits of one epoch, or of one batch, in a row are one run, whose length only {@code
 *       WAYMARK_EPOCHS} tells.
 *   <li>Calls at the same time, on several threads, are one run.
 *   <li>A fit that began while another model was reported is reported as soon as that one is over.
 *       It is, too, when this one has trained for two epochs without a step of it.
 *   <li>What is thrown out of fit fails the run.
 *   <li>After a fit has returned the run is over when another model is trained, after a minute, or
 *       when the JVM ends. When it ends within fit, the run is interrupted.
 * </ul>
 *
 * <p>Safe for any thread. Holds neither the model nor any of its arrays.
 */
final class FittedRun implements Figures {
  private enum Phase {
    /** Nothing is trained, or no more. */
    IDLE,
    FITTING,
    /** Fit has returned; the run may be over. */
    FITTED
  }

  private final Duration quiet;
  private final Supplier<TrainingRun> newRun;
  private final Turn turn = new Turn();
  private volatile TrainingRun run;
  private volatile FitPlan plan;
  private volatile FittedEpochs epochs = new FittedEpochs(Counters.ZERO, 0);
  private volatile boolean toldFigures;

  /**
   * Whether the fit that has ended last was one of a batch, after which there is nothing to say of
   * the next one but its steps, as long as these follow each other at once.
   */
  private volatile boolean inLoop;

  /** Whether the last step followed another one so soon that only it itself need be told. */
  private boolean quick;

  /** Whether anything of this model was ever reported. */
  private boolean everReported;

  private Phase phase = Phase.IDLE;

  /** How many calls of fit are under way. */
  private int callsWithin;

  /** Epochs before the run began, as it knows them. */
  private int epochsBefore;

  /**
   * @param name what the log calls the model
   */
  FittedRun(String name) {
    this(name, UntoldEnd.QUIET);
  }

  FittedRun(String name, Duration quiet) {
    this(quiet, () -> TrainingRun.attach(name));
  }

  FittedRun(Duration quiet, Supplier<TrainingRun> newRun) {
    this.quiet = quiet;
    this.newRun = newRun;
  }

  /**
   * A call of fit has begun that is not within another one of the same model on its thread.
   *
   * @param counters where the model stands, asked only if that matters
   */
  synchronized void fitBegan(FitPlan next, Supplier<Counters> counters) {
    callsWithin++;
    inLoop = false;
    if (phase == Phase.FITTING) {
      return;
    }
    if (isContinuedBy(next)) {
      plan = next;
      run.withdrawPresumption();
      turn.hold(Hold.FIRM);
    } else {
      epochs = new FittedEpochs(startOf(next, counters), next.batchesPerEpoch());
      plan = next;
      begin();
    }
    if (!next.isBatch()) {
      epochs.breakOff();
    }
    phase = Phase.FITTING;
  }

  private boolean isContinuedBy(FitPlan next) {
    return phase == Phase.FITTED
        && (plan.isContinuedBy(next) || (plan.sharesEpochsWith(next) && isMorePlanned()))
        && !run.hasEnded()
        && !turn.isFreeAgain();
  }

  /**
   * Where the next run begins: as long as nothing was reported of the model, with all that was done
   * before, in earlier processes or in fits that nobody heard of; after that, anew.
   */
  private Counters startOf(FitPlan next, Supplier<Counters> counters) {
    if (everReported || !next.goesByCounters()) {
      return Counters.ZERO;
    }
    // A ParallelWrapper doesn't move the model's counters, so what was seen here tells more.
    boolean seen = plan != null && plan.goesByCounters();
    return (seen ? epochs.reached() : counters.get()).asStart(!next.isBatch());
  }

  private void begin() {
    takeTurn();
    epochs.start().resume(run, !plan.isBatch());
    epochsBefore = run.epochsBefore();
    tellPlan();
  }

  private void takeTurn() {
    turn.over();
    run = turn.take(newRun);
    everReported = everReported || run.isReported();
    toldFigures = false;
  }

  /** Goes on where the fit is, once that is over which kept this model from being reported. */
  private synchronized void beginMidway() {
    if (phase != Phase.FITTING || !turn.isFreeAgain()) {
      return;
    }
    takeTurn();
    epochsBefore = epochs.start().epochs();
    Counters reached = epochs.reached();
    if (!plan.isBatch()) {
      run.resumedAtEpoch(reached.epochs());
    }
    run.resumedAt(reached.iterations());
    tellPlan();
  }

  /** Fit counts its epochs from where it starts. */
  private void tellPlan() {
    int inAll = plan.epochs() == 0 ? 0 : epochsBefore + plan.epochs();
    run.plan(inAll, epochs.plannedSteps());
  }

  /** Whether the next fit of a batch may {@linkplain #batchBeginsAgain begin so}. */
  boolean isInLoop() {
    return inLoop;
  }

  /**
   * On the thread on which the last fit of a batch has ended the next one begins. That is all that
   * a loop of batches does, thousands of times a second: so it takes no lock.
   *
   * @return false if it is to be told as any other fit
   */
  boolean batchBeginsAgain() {
    if (!inLoop || !isLive()) {
      return false;
    }
    quick = false;
    run.busy(true);
    return true;
  }

  /**
   * That fit has returned.
   *
   * @return false if it is to be told as the end of any other, of which it {@linkplain #batchIsFit
   *     is one} then
   */
  boolean batchEndsAgain() {
    if (!quick) {
      return false;
    }
    run.busy(false);
    return true;
  }

  /** The fit that has begun so is one as any other from now on. */
  synchronized void batchIsFit() {
    callsWithin++;
    inLoop = false;
    if (phase == Phase.FITTED) {
      phase = Phase.FITTING;
      run.withdrawPresumption();
      turn.hold(Hold.FIRM);
    }
    run.busy(false);
  }

  private boolean isLive() {
    TrainingRun present = run;
    return present.isReported() && !present.hasEnded();
  }

  /**
   * That call of fit has ended.
   *
   * @param thrown null if it has returned
   */
  synchronized void fitEnded(Throwable thrown) {
    callsWithin--;
    inLoop = false;
    if (phase != Phase.FITTING) {
      return;
    }
    if (thrown != null) {
      phase = Phase.IDLE;
      run.failed(thrown);
      return;
    }
    boolean over = isFitOver();
    if (callsWithin == 0) {
      phase = Phase.FITTED;
      turn.hold(over ? Hold.LOOSE : Hold.UNTIL_YOUNGER);
      presume(over);
      inLoop = plan.isBatch() && !run.isPlanKnown() && isLive();
    }
    if (!over) {
      UncaughtFailure.watch(run, UntoldEnd.ALL_ARE_FAILURES);
    }
  }

  /** That call of fit has ended, and it is known how. */
  synchronized void fitEnded(Outcome outcome, Throwable cause) {
    callsWithin--;
    inLoop = false;
    if (phase == Phase.FITTING) {
      phase = Phase.IDLE;
      outcome.end(run, cause);
    }
  }

  /** Whether all is done that a fit, or the plan of fits that plan nothing, was to do. */
  private boolean isFitOver() {
    return plan.isOpenEnded() ? run.isPlanDone() : !isMorePlanned();
  }

  /** After a fit that planned all it did: whether the settings plan more. */
  private boolean isMorePlanned() {
    return run.isPlanKnown() && !run.isPlanDone();
  }

  /**
   * The run is over if nothing more is trained.
   *
   * @param over whether nothing more is to be expected
   */
  private void presume(boolean over) {
    if (over) {
      run.presumeOver(quiet, true);
    } else {
      run.presumeCompleted(quiet, false);
    }
  }

  /**
   * One more iteration is done.
   *
   * @param loss null if unknown, so that an earlier one stays
   * @return what of {@link #learningRate} and {@link #metric} is to be told now
   */
  Due step(Double loss) {
    if (turn.isFreeAgain()) {
      beginMidway();
    }
    if (run == null) {
      return Due.NOTHING;
    }
    turn.stepped();
    if (plan.isPretraining()) {
      countPass();
    }
    TrainingRun present = run;
    boolean last = plan.isBatch() || isLastOfEpoch(); // of a loop of batches each may be the last
    if (epochs.stepped()) {
      tellPlan();
    }
    boolean look = loss == null ? present.stepAndLook() : present.stepAndLook(loss);
    if (!present.isReported()) {
      return Due.NOTHING;
    }
    quick = !look && !present.hasEnded();
    boolean sample = look && present.sampleDue();
    if (sample || !toldFigures) {
      toldFigures = true;
      return Due.ALL;
    }
    return last ? Due.CHEAP : Due.NOTHING;
  }

  /** Whether anybody hears of it. */
  boolean isReported() {
    TrainingRun present = run;
    return present != null && present.isReported();
  }

  /**
   * Whether the last step followed another one so soon that nothing else need be looked for. To be
   * asked on the thread that makes the steps, or the answer is as good as any.
   */
  boolean isQuick() {
    return quick;
  }

  /** Whether the next step is an epoch's last, by the length of the one before or as planned. */
  boolean isLastOfEpoch() {
    return epochs.isNextTheLast();
  }

  /** Whether all steps of the present epoch are done, as far as its length is known. */
  boolean isEpochFull() {
    return epochs.isFull();
  }

  /** So many epochs more are done, their evaluation included. */
  synchronized void epochsEnded(int more) {
    if (phase == Phase.FITTING) {
      areDone(epochs.ended(more));
    }
  }

  private synchronized void countPass() {
    areDone(epochs.passIsOver(plan.epochs()) ? 1 : 0);
  }

  private void areDone(int more) {
    if (more > 0) {
      tellEpochs();
      for (int i = 0; i < more; i++) {
        turn.epochTrained();
      }
      beginMidway();
    }
  }

  private void tellEpochs() {
    run.epochEnded(epochsBefore + epochs.done());
  }

  /** An evaluation begins. One that comes when all is done is no part of the training. */
  synchronized void evaluating() {
    if (isUnderWay()) {
      run.evaluating();
    }
  }

  /** That evaluation has ended: the quiet that ends a run begins anew. */
  synchronized void evaluated() {
    if (isUnderWay()) {
      tellEpochs(); // once more the same number, which ends the pause
      if (phase == Phase.FITTED) {
        presume(false);
      }
    }
  }

  private boolean isUnderWay() {
    return phase == Phase.FITTING || (phase == Phase.FITTED && !isFitOver());
  }

  @Override
  public TrainingRun run() {
    return run;
  }
}
