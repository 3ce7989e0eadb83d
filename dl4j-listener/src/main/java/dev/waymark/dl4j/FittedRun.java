package dev.waymark.dl4j;

import dev.waymark.reporter.TrainingRun;
import dev.waymark.reporter.Turn;
import dev.waymark.reporter.Turn.Hold;
import dev.waymark.reporter.UncaughtFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
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
  private final AtomicLong stepsInEpoch = new AtomicLong();

  /** Steps of the epochs that are done. */
  private final AtomicLong stepsOfEpochs = new AtomicLong();

  private volatile TrainingRun run;
  private volatile FitPlan plan;

  /** Steps in an epoch as planned; 0 once the epoch has outrun that. */
  private volatile long plannedSteps;

  private volatile long stepsOfLastEpoch;
  private volatile boolean toldFigures;

  /** Whether anything of this model was ever reported. */
  private boolean everReported;

  private Phase phase = Phase.IDLE;

  /** How many calls of fit are under way. */
  private int callsWithin;

  /** Where the model stood when the run began, as far as it goes on from there. */
  private Counters start = Counters.ZERO;

  /** Epochs before the run began. */
  private int epochsBefore;

  private int epochsDone;

  /** Passes over the data that are done and will be told with their layer's end. */
  private int passesCounted;

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
    if (phase == Phase.FITTING) {
      return;
    }
    if (isContinuedBy(next)) {
      plan = next;
      run.withdrawPresumption();
      turn.hold(Hold.FIRM);
    } else {
      start = startOf(next, counters);
      plan = next;
      begin();
    }
    if (!next.isBatch()) {
      stepsInEpoch.set(0); // whatever was done of an epoch that was broken off
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
    return (seen ? reached() : counters.get()).asStart(!next.isBatch());
  }

  /** Where the model stands by what was seen of it. */
  private Counters reached() {
    return start.plus(stepsOfEpochs.get() + stepsInEpoch.get(), epochsDone);
  }

  private void begin() {
    takeTurn();
    stepsInEpoch.set(0);
    stepsOfEpochs.set(0);
    stepsOfLastEpoch = 0;
    epochsDone = 0;
    passesCounted = 0;
    start.resume(run, !plan.isBatch());
    epochsBefore = run.epochsBefore();
    plannedSteps = plan.batchesPerEpoch();
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
    epochsBefore = start.epochs();
    if (!plan.isBatch()) {
      run.resumedAtEpoch(reached().epochs());
    }
    run.resumedAt(reached().iterations());
    tellPlan();
  }

  /** Fit counts its epochs from where it starts. */
  private void tellPlan() {
    int epochs = plan.epochs() == 0 ? 0 : epochsBefore + plan.epochs();
    run.plan(epochs, plannedSteps);
  }

  /**
   * That call of fit has ended.
   *
   * @param thrown null if it has returned
   */
  synchronized void fitEnded(Throwable thrown) {
    callsWithin--;
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
    }
    if (!over) {
      UncaughtFailure.watch(run, UntoldEnd.ALL_ARE_FAILURES);
    }
  }

  /** That call of fit has ended, and it is known how. */
  synchronized void fitEnded(Outcome outcome, Throwable cause) {
    callsWithin--;
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
    long planned = plannedSteps;
    if (stepsInEpoch.incrementAndGet() > planned && planned > 0) {
      plannedSteps = 0;
      tellPlan();
    }
    if (loss == null) {
      present.step();
    } else {
      present.step(loss);
    }
    if (!present.isReported()) {
      return Due.NOTHING;
    }
    if (!toldFigures || present.sampleDue()) {
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

  /** Whether the next step is an epoch's last, by the length of the one before or as planned. */
  boolean isLastOfEpoch() {
    return stepsInEpoch.get() + 1 == stepsPerEpoch();
  }

  /** Whether all steps of the present epoch are done, as far as its length is known. */
  boolean isEpochFull() {
    return stepsPerEpoch() > 0 && stepsInEpoch.get() >= stepsPerEpoch();
  }

  private long stepsPerEpoch() {
    return stepsOfLastEpoch > 0 ? stepsOfLastEpoch : plannedSteps;
  }

  /** So many epochs more are done, their evaluation included. */
  synchronized void epochsEnded(int epochs) {
    int more = epochs - passesCounted;
    if (phase == Phase.FITTING && more > 0) {
      passesCounted = 0;
      areDone(more);
    }
  }

  /**
   * A pass is over when the next step is one too many for it. The very last is left to its end: a
   * wrong length must not make a pass too many.
   */
  private synchronized void countPass() {
    if (isEpochFull() && epochsDone + 1 < plan.epochs()) {
      passesCounted++;
      areDone(1);
    }
  }

  private void areDone(int epochs) {
    long steps = stepsInEpoch.getAndSet(0);
    stepsOfEpochs.addAndGet(steps);
    stepsOfLastEpoch = steps / epochs;
    epochsDone += epochs;
    tellEpochs();
    for (int i = 0; i < epochs; i++) {
      turn.epochTrained();
    }
    beginMidway();
  }

  private void tellEpochs() {
    run.epochEnded(epochsBefore + epochsDone);
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
  public void learningRate(double rate) {
    TrainingRun present = run;
    if (present != null) {
      present.learningRate(rate);
    }
  }

  @Override
  public void metric(String metric, double value) {
    TrainingRun present = run;
    if (present != null) {
      present.metric(metric, value);
    }
  }
}
