package dev.waymark.reporter;

import static dev.waymark.reporter.RunSnapshot.UNKNOWN;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.LongSupplier;

/**
 * One reported run: gathers what the program says, and draws the snapshot that is reported.
 *
 * <p>Threads that train and the one that reads share a lock, which is held for a few field accesses
 * and never across I/O or foreign code. Once the run has ended, or stands aside, nothing changes it
 * any more.
 */
final class LiveRun {
  /** Only a run that has completed shows 100. */
  private static final int MOST_BEFORE_COMPLETION = 99;

  /** The lock too: a step touches it anyway. */
  private final QuickSteps quick = new QuickSteps();

  private final int number;
  private final String name;
  private final LongSupplier nanoTime;

  private final Progress progress;
  private RemainingTimeEstimator stepPace;
  private EpochPace epochPace;

  /** Changes under the lock; whether it is an end is read at each step, and so without. */
  private volatile RunState state = RunState.RUNNING;

  /** As above. */
  private volatile boolean aside;

  private int percent = UNKNOWN;
  private double learningRate = Double.NaN;
  private final MetricTable metrics = new MetricTable();

  private double toldPercent = Double.NaN;
  private long toldRemainingNanos = UNKNOWN;
  private long toldRemainingAt;

  private final PresumedEnd presumedEnd = new PresumedEnd();

  /**
   * @param number 1 for the first run of this process, 2 for the second, ...
   * @param name what the log calls the run
   * @param nanoTime a monotonic clock
   */
  LiveRun(int number, String name, Settings settings, LongSupplier nanoTime) {
    this.number = number;
    this.name = name;
    this.nanoTime = nanoTime;
    progress = new Progress(settings.epochs());
    // A later run of the process starts anew: it was the program that went on from a checkpoint.
    if (number == 1 && settings.startEpoch() > 0) {
      progress.resumedAtEpoch(settings.startEpoch());
    }
    beginSession();
  }

  String name() {
    return name;
  }

  int epochsBefore() {
    synchronized (quick) {
      return progress.epochsBefore();
    }
  }

  boolean isPlanKnown() {
    synchronized (quick) {
      return progress().isPlanKnown();
    }
  }

  boolean isPlanDone() {
    synchronized (quick) {
      return progress().isPlanDone();
    }
  }

  void plan(int epochs, long stepsPerEpoch) {
    synchronized (quick) {
      if (isLive()) {
        progress().plan(epochs, stepsPerEpoch);
        beginSession();
      }
    }
  }

  void planSteps(long total) {
    synchronized (quick) {
      if (isLive()) {
        progress().planSteps(total);
        beginSession();
      }
    }
  }

  void resumedAt(long step) {
    synchronized (quick) {
      if (isLive()) {
        progress().resumedAt(step);
        beginSession();
      }
    }
  }

  void resumedBetweenEpochs(long step) {
    synchronized (quick) {
      if (isLive()) {
        progress().resumedBetweenEpochs(step);
        beginSession();
      }
    }
  }

  void resumedAtEpoch(int epochsDone) {
    synchronized (quick) {
      if (isLive()) {
        progress().resumedAtEpoch(epochsDone);
        beginSession();
      }
    }
  }

  /**
   * What a program does between start and the last word on its plan, such as loading data, is no
   * step.
   */
  private void beginSession() {
    if (!progress.hasBegun()) {
      long now = nanoTime.getAsLong();
      stepPace = new RemainingTimeEstimator(now);
      epochPace = new EpochPace(now);
    }
  }

  /**
   * @return false if nothing but this step need be told now, since it follows another one at once
   */
  boolean step() {
    synchronized (quick) {
      return isLive() && stepEnded();
    }
  }

  /** As above. */
  boolean step(double newLoss) {
    synchronized (quick) {
      if (!isLive()) {
        return false;
      }
      quick.loss = newLoss;
      return stepEnded();
    }
  }

  /** True if it was taken in, false if it waits. */
  private boolean stepEnded() {
    long now = nanoTime.getAsLong();
    if (quick.letsWait(now)) {
      return false;
    }
    takeInWaiting();
    takeIn(now);
    quick.takenIn(now);
    return true;
  }

  /** To be called before anything is told, or asked, that steps have a part in. */
  private void takeInWaiting() {
    int waiting = quick.waiting;
    if (waiting > 0) {
      long together = quick.lastWaitingAt - quick.takenInAt;
      for (int i = 1; i <= waiting; i++) {
        takeIn(quick.takenInAt + together * i / waiting);
      }
      quick.waiting = 0;
      quick.takenInAt = quick.lastWaitingAt;
    }
  }

  private void takeIn(long stepEndedAt) {
    boolean evaluated = state == RunState.EVALUATING;
    presumedEnd.stepEnded(evaluated, stepEndedAt);
    if (evaluated) {
      state = RunState.RUNNING;
    }
    progress.stepEnded();
    stepPace.stepEnded(stepEndedAt);
  }

  /** With all steps. */
  private Progress progress() {
    takeInWaiting();
    return progress;
  }

  void loss(double newLoss) {
    synchronized (quick) {
      if (isLive()) {
        quick.loss = newLoss;
      }
    }
  }

  void learningRate(double rate) {
    synchronized (quick) {
      if (isLive()) {
        learningRate = rate;
      }
    }
  }

  void metric(String metricName, double value) {
    synchronized (quick) {
      if (isLive()) {
        metrics.put(metricName, value);
      }
    }
  }

  void epochEnded(int epochsDone) {
    synchronized (quick) {
      if (isLive()) {
        epochsEnded(progress().epochsEnded(epochsDone));
      }
    }
  }

  void epochEnded() {
    synchronized (quick) {
      if (isLive()) {
        epochsEnded(progress().epochEnded());
      }
    }
  }

  void tellsEpochs(boolean every) {
    synchronized (quick) {
      if (isLive()) {
        progress.tellsEpochs(every);
      }
    }
  }

  private void epochsEnded(int more) {
    long now = nanoTime.getAsLong();
    quick.mayWait = false; // a pause may have ended
    if (state == RunState.EVALUATING) {
      presumedEnd.evaluationEnded(now);
    }
    state = RunState.RUNNING;
    stepPace.pauseEnded(now);
    if (more > 0) {
      epochPace.epochsEnded(more, now);
    }
  }

  void evaluating() {
    synchronized (quick) {
      if (isLive()) {
        takeInWaiting();
        quick.mayWait = false;
        state = RunState.EVALUATING;
        stepPace.pauseBegan(nanoTime.getAsLong());
      }
    }
  }

  void progress(double ownPercent) {
    synchronized (quick) {
      if (isLive()) {
        toldPercent = Double.isInfinite(ownPercent) ? Double.NaN : ownPercent;
      }
    }
  }

  /**
   * @param nanos from now on; negative takes an earlier one back
   */
  void remaining(long nanos) {
    synchronized (quick) {
      if (isLive()) {
        toldRemainingNanos = nanos;
        toldRemainingAt = nanoTime.getAsLong();
      }
    }
  }

  /**
   * @param over whether nothing more is to come, even if less is done than planned
   */
  void presumeEnd(long quiet, boolean over, boolean evenIfSignalled) {
    synchronized (quick) {
      if (isLive()) {
        takeInWaiting();
        presumedEnd.presume(quiet, over, evenIfSignalled, nanoTime.getAsLong());
      }
    }
  }

  void withdrawPresumption() {
    synchronized (quick) {
      presumedEnd.withdraw();
    }
  }

  /** Without the lock: it comes with each step of a loop, and only who looks for an end asks. */
  void busy(boolean isBusy) {
    QuickSteps.BUSY.lazySet(quick, isBusy ? 1 : 0);
  }

  boolean isBusy() {
    return quick.busy != 0;
  }

  /** Ends the run. True if it was live until now. */
  boolean end(RunState end) {
    synchronized (quick) {
      if (!isLive()) {
        return false;
      }
      takeInWaiting();
      // First the percentage that it has reached, which no longer grows by time or by the end
      // itself.
      percent = percentByNow();
      state = end;
      return true;
    }
  }

  /** Ends the run: nothing more is trained. True if it was live until now. */
  boolean over() {
    synchronized (quick) {
      return end(progress().isCutShort() ? RunState.STOPPED_EARLY : RunState.COMPLETED);
    }
  }

  /** Ends the run if that is presumed and the time without a step is over. True if so. */
  boolean endIfQuiet() {
    synchronized (quick) {
      boolean evaluating = state == RunState.EVALUATING;
      return isLive()
          && !isBusy()
          && presumedEnd.isDue(progress().isCutShort(), evaluating, nanoTime.getAsLong())
          && over();
    }
  }

  /** Ends the run because the JVM ends. True if it was live until now. */
  boolean endWithJvm(boolean signalled) {
    synchronized (quick) {
      return !isBusy() && presumedEnd.holdsAtJvmEnd(progress().isCutShort(), signalled)
          ? over()
          : end(RunState.INTERRUPTED);
    }
  }

  /** Leaves the reporting to another run. True if this one was live until now. */
  boolean standAside() {
    synchronized (quick) {
      boolean wasLive = isLive();
      aside = wasLive || aside;
      return wasLive;
    }
  }

  boolean isAside() {
    return aside;
  }

  boolean hasEnded() {
    return state.isEnd();
  }

  /** Whether the run takes in what the program says. */
  boolean isLive() {
    return !aside && !state.isEnd();
  }

  RunSnapshot snapshot() {
    synchronized (quick) {
      takeInWaiting();
      if (!state.isEnd()) {
        percent = percentByNow();
      }
      return new RunSnapshot(
          state,
          state == RunState.COMPLETED ? 100 : percent,
          remainingSeconds(),
          ownMetrics(),
          metrics.finite(),
          metrics.isOverfull());
    }
  }

  /** The program's own word first, then the plan; it never falls, and stops short of 100. */
  private int percentByNow() {
    int now =
        Double.isNaN(toldPercent)
            ? progress.percent()
            : (int) Math.floor(Math.max(0, Math.min(100, toldPercent)));
    return Math.max(percent, Math.min(MOST_BEFORE_COMPLETION, now));
  }

  private long remainingSeconds() {
    if (state.isEnd()) {
      return state == RunState.COMPLETED ? 0 : UNKNOWN;
    }
    long now = nanoTime.getAsLong();
    if (toldRemainingNanos >= 0) {
      return Math.round(Math.max(0, toldRemainingNanos - (now - toldRemainingAt)) / 1e9);
    }
    if (!progress.hasSessionSteps()) {
      return progress.epochs() > 0 && epochPace.isSettled(now)
          ? Math.round(epochPace.secondsFromNow(progress.epochsToGo(), now))
          : UNKNOWN;
    }
    long stepsToGo = progress.stepsToGo();
    return stepsToGo >= 0 && stepPace.isSettled(now)
        ? Math.round(stepPace.secondsFromNow(stepsToGo, now))
        : UNKNOWN;
  }

  private List<Metric> ownMetrics() {
    List<Metric> own = new ArrayList<>(8);
    own.add(new Metric("state", state.reported()));
    own.add(new Metric("run", number));
    if (progress.hasSteps()) {
      own.add(new Metric("current_step", progress.currentStep()));
    }
    if (progress.totalSteps() > 0) {
      own.add(new Metric("total_steps", progress.totalSteps()));
    }
    if (progress.hasEpochs()) {
      own.add(new Metric("current_epoch", progress.currentEpoch()));
    }
    if (progress.epochs() > 0) {
      own.add(new Metric("total_epochs", progress.epochs()));
    }
    addIfFinite(own, "loss", quick.loss);
    addIfFinite(own, "learning_rate", learningRate);
    return own;
  }

  private static void addIfFinite(List<Metric> own, String metricName, double value) {
    if (Double.isFinite(value)) {
      own.add(new Metric(metricName, value));
    }
  }

  /**
   * All that a step touches which follows another one at once. Real iterations have pushed it out
   * of the caches by then, so that a step costs what it touches, and not what it does: to take one
   * in touches much more.
   */
  private static final class QuickSteps {
    static final AtomicIntegerFieldUpdater<QuickSteps> BUSY =
        AtomicIntegerFieldUpdater.newUpdater(QuickSteps.class, "busy");

    /** Steps that follow each other within this time are taken in together. */
    private static final long TOGETHER_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** So few that the lock is held for a microsecond or two. */
    private static final int MOST_TOGETHER = 100;

    /** Steps that are done and not taken in yet, the last of them at this time. */
    private int waiting;

    private long lastWaitingAt;

    /** When the last step was done that is taken in. */
    private long takenInAt;

    /** Whether steps may wait, and for how long from when on. */
    private boolean mayWait;

    private long togetherSince;

    private double loss = Double.NaN;

    /** 1 within a call that tells its end, else 0. */
    private volatile int busy;

    /** Whether a step that has ended now waits for later ones. */
    boolean letsWait(long now) {
      boolean waits = mayWait && waiting < MOST_TOGETHER && now - togetherSince < TOGETHER_NANOS;
      if (waits) {
        waiting++;
        lastWaitingAt = now;
      }
      return waits;
    }

    /** A step that has ended now is taken in. */
    void takenIn(long now) {
      takenInAt = now;
      togetherSince = now;
      mayWait = true;
    }
  }
}
