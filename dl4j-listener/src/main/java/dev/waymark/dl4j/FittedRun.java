package dev.waymark.dl4j;

import dev.waymark.reporter.EndingExceptions;
import dev.waymark.reporter.TrainingRun;
import dev.waymark.reporter.Turn;
import dev.waymark.reporter.Turn.Hold;
import dev.waymark.reporter.UncaughtFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The run of one model through all its calls of fit: when it begins, goes on and ends.
 *
 * <ul>
 *   <li>A fit of several epochs, or an early stopping, is a run of its own.
 *   <li>Fits of one epoch, or of one batch, in a row are one run, whose length only {@code
 *       WAYMARK_EPOCHS} tells.
 *   <li>What is thrown out of fit fails the run.
 *   <li>After a fit has returned the run is over when another model is trained, after a minute, or
 *       when the JVM ends. When it ends within fit, the run is interrupted.
 * </ul>
 *
 * <p>Steps may come from several threads, the rest from the one that calls fit. Holds neither the
 * model nor any of its arrays.
 */
final class FittedRun {
  private enum Phase {
    /** Nothing is trained, or no more. */
    IDLE,
    FITTING,
    /** Fit has returned; the run may be over. */
    FITTED
  }

  private static final Duration ONE_MINUTE = Duration.ofMinutes(1);
  private static final EndingExceptions ALL_ARE_FAILURES =
      EndingExceptions.of(List.of(), List.of());

  private final String name;
  private final Duration quiet;
  private final Turn turn = new Turn();
  private final AtomicLong stepsInEpoch = new AtomicLong();
  private volatile Phase phase = Phase.IDLE;
  private volatile TrainingRun run;
  private volatile FitPlan plan;

  /** Steps in an epoch as planned; 0 once the epoch has outrun that. */
  private volatile long plannedSteps;

  private volatile long stepsOfLastEpoch;
  private volatile boolean toldFigures;
  private int epochsDone;

  /**
   * @param name what the log calls the model
   */
  FittedRun(String name) {
    this(name, ONE_MINUTE);
  }

  FittedRun(String name, Duration quiet) {
    this.name = name;
    this.quiet = quiet;
  }

  /**
   * A call of fit has begun that is not within another one of the same model.
   *
   * @param counters where the model stands, asked only if that matters
   */
  void fitBegan(FitPlan next, Supplier<Counters> counters) {
    if (isContinuedBy(next)) {
      if (!next.isBatch()) {
        run.withdrawPresumption();
        turn.hold(Hold.FIRM);
      }
    } else {
      begin(next, counters);
    }
    plan = next;
    phase = Phase.FITTING;
  }

  private boolean isContinuedBy(FitPlan next) {
    return phase == Phase.FITTED
        && plan.isContinuedBy(next)
        && !run.hasEnded()
        && !turn.isFreeAgain();
  }

  private void begin(FitPlan next, Supplier<Counters> counters) {
    boolean first = run == null;
    turn.over();
    run = turn.take(() -> TrainingRun.attach(name));
    stepsInEpoch.set(0);
    stepsOfLastEpoch = 0;
    epochsDone = 0;
    toldFigures = false;
    if (first && next.goesByCounters()) {
      counters.get().resume(run, !next.isBatch());
    }
    plannedSteps = next.batchesPerEpoch();
    tellPlan(next);
  }

  /** Fit counts its epochs from where it starts. */
  private void tellPlan(FitPlan told) {
    int epochs = told.epochs() == 0 ? 0 : run.epochsBefore() + told.epochs();
    run.plan(epochs, plannedSteps);
  }

  /**
   * That call of fit has ended.
   *
   * @param thrown null if it has returned
   */
  void fitEnded(Throwable thrown) {
    if (phase != Phase.FITTING) {
      return;
    }
    if (thrown != null) {
      phase = Phase.IDLE;
      run.failed(thrown);
      return;
    }
    phase = Phase.FITTED;
    boolean done = !plan.isOpenEnded() || run.isPlanDone();
    turn.hold(done ? Hold.LOOSE : Hold.UNTIL_YOUNGER);
    run.presumeCompleted(quiet, done);
    if (!done) {
      UncaughtFailure.watch(run, ALL_ARE_FAILURES);
    }
  }

  /** That call of fit has ended, and it is known how. */
  void fitEnded(Outcome outcome, Throwable cause) {
    if (phase == Phase.FITTING) {
      phase = Phase.IDLE;
      outcome.end(run, cause);
    }
  }

  /**
   * One more iteration is done.
   *
   * @param loss null if unknown, so that an earlier one stays
   * @return the run, if it is time to read figures that cost something; otherwise null
   */
  TrainingRun step(Double loss) {
    TrainingRun present = run;
    if (present == null) {
      return null;
    }
    turn.stepped();
    boolean last = isLastOfEpoch();
    long planned = plannedSteps;
    if (stepsInEpoch.incrementAndGet() > planned && planned > 0) {
      plannedSteps = 0;
      tellPlan(plan);
    }
    if (loss == null) {
      present.step();
    } else {
      present.step(loss);
    }
    if (!toldFigures || last || present.sampleDue()) {
      toldFigures = true;
      return present;
    }
    return null;
  }

  /** Whether anybody hears of it. */
  boolean isReported() {
    TrainingRun present = run;
    return present != null && present.isReported();
  }

  /** Whether the next step is an epoch's last, by the length of the one before or as planned. */
  boolean isLastOfEpoch() {
    return stepsInEpoch.get() + 1 == (stepsOfLastEpoch > 0 ? stepsOfLastEpoch : plannedSteps);
  }

  /** So many epochs more are done, their evaluation included. */
  void epochsEnded(int epochs) {
    if (phase == Phase.FITTING && epochs > 0) {
      stepsOfLastEpoch = stepsInEpoch.getAndSet(0) / epochs;
      epochsDone += epochs;
      run.epochEnded(run.epochsBefore() + epochsDone);
    }
  }

  /** An evaluation begins. One that comes when all is done is no part of the training. */
  void evaluating() {
    if (phase == Phase.FITTING || (phase == Phase.FITTED && plan.isOpenEnded())) {
      run.evaluating();
    }
  }

  void metric(String metric, double value) {
    if (run != null) {
      run.metric(metric, value);
    }
  }
}
