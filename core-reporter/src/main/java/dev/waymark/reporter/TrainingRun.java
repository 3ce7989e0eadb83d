package dev.waymark.reporter;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * One training run, as the program that trains tells it: how far it is, how it goes, how it ended.
 *
 * <pre>{@code
 * try (TrainingRun run = TrainingRun.start()) {
 *   run.plan(epochs, stepsPerEpoch);
 *   for (int epoch = 0; epoch < epochs; epoch++) {
 *     for (Batch batch : data) {
 *       run.step(train(batch));
 *     }
 *     run.evaluating();
 *     run.metric("eval_accuracy", evaluate());
 *     run.epochEnded(epoch + 1);
 *   }
 *   run.complete();
 * }
 * }</pre>
 *
 * <p>Reports go to the status endpoint of the Kubeflow Trainer (or of {@code waymark run}) from a
 * thread of their own. Outside a TrainJob, that is, where {@code KUBEFLOW_TRAINER_SERVER_URL} is
 * not set, a run is inert: it costs nothing and says nothing. The same holds in a process that is
 * not the leader of its job.
 *
 * <p>Every method may be called from any thread, returns at once, never throws, and does nothing on
 * a run that is inert or has ended. Numbers that are NaN or infinite are left out of the reports,
 * as are names that are null or blank.
 */
public final class TrainingRun implements AutoCloseable {
  private static final TrainingRun INERT = new TrainingRun(null, null, null, null);

  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Null if this run is inert; then the rest is too. */
  private final LiveRun run;

  private final SampleGate samples;
  private final Log log;

  /** Sees to it that what is told will be sent; cheap, but not for each step. */
  private final Runnable sending;

  private TrainingRun(LiveRun run, SampleGate samples, Log log, Runnable sending) {
    this.run = run;
    this.samples = samples;
    this.log = log;
    this.sending = sending;
  }

  static TrainingRun inert() {
    return INERT;
  }

  static TrainingRun of(LiveRun run, SampleGate samples, Log log, Runnable sending) {
    return new TrainingRun(run, samples, log, sending);
  }

  /**
   * Starts a run that the program reports by hand. It goes before any run that an agent has
   * attached.
   *
   * @return the run, never null; inert outside a TrainJob, in a process that is not the leader, and
   *     while another run is reported
   */
  public static TrainingRun start() {
    return orInert(() -> Reporter.shared().start());
  }

  /**
   * Starts a run on behalf of a program that knows nothing of it, as an agent's listener does. Such
   * a run stands aside, with one line in the log, where the program reports by hand.
   *
   * @param trainer what the log calls the thing that trains, for instance {@code "DJL Trainer"}
   * @return the run, never null; inert in the cases of {@link #start()} too
   */
  public static TrainingRun attach(String trainer) {
    return orInert(() -> Reporter.shared().attach(trainer));
  }

  /**
   * For an agent that has come to know that it can't see all of a training: nothing is reported
   * from now on of what was {@linkplain #attach attached}, or will be. What had been reported
   * stays.
   */
  public static void standAside() {
    Reporter.shared().standAside();
  }

  /** Whether a program in this JVM has reported by hand, through whichever copy of this class. */
  public static boolean isByHand() {
    try {
      return Reporter.isByHand();
    } catch (SecurityException e) {
      return false; // A security manager hides it: then nothing was reported either.
    }
  }

  /** Nothing that goes wrong here, no memory and no thread included, is worth a training. */
  static TrainingRun orInert(Supplier<TrainingRun> start) {
    try {
      return start.get();
    } catch (RuntimeException | Error e) {
      new Log(Log.Level.WARN).warn("nothing is reported, by a defect of Waymark's: " + e);
      return INERT;
    }
  }

  /** Whether this run is reported, or was until it ended; false if it is inert. */
  public boolean isReported() {
    return run != null && !run.isAside();
  }

  /** Whether the run has ended, by a call or by presumption; false if it is inert. */
  public boolean hasEnded() {
    return run != null && run.hasEnded();
  }

  /**
   * Epochs that were done before this session, as {@code WAYMARK_START_EPOCH} or {@link
   * #resumedAtEpoch} told; 0 if none, unknown, or if the run is inert.
   */
  public int epochsBefore() {
    return run == null ? 0 : run.epochsBefore();
  }

  /**
   * Whether a plan is known, and which part of it is done: then a run of which it {@linkplain
   * #isPlanDone isn't all} would be cut short if it ended now. {@link #progress} has no say in it.
   *
   * @return false too if the run is inert
   */
  public boolean isPlanKnown() {
    return run != null && run.isPlanKnown();
  }

  /**
   * Whether everything that is planned has been done, by what was told of epochs and steps and by
   * the settings {@code WAYMARK_EPOCHS} and {@code WAYMARK_START_EPOCH}: a training that ends then
   * has not been cut short. {@link #progress} has no say in it.
   *
   * @return false if less is done, if no plan is known, or if the run is inert
   */
  public boolean isPlanDone() {
    return run != null && run.isPlanDone();
  }

  /**
   * Tells the planned length by epochs. It may come late, again, or never. The setting {@code
   * WAYMARK_EPOCHS} wins over {@code epochs}.
   *
   * @param epochs how many epochs the training has in all, those before a resume included; 0 or
   *     less if unknown
   * @param stepsPerEpoch steps in one epoch; 0 or less if unknown: then the first full epoch tells
   */
  public void plan(int epochs, long stepsPerEpoch) {
    if (run != null) {
      run.plan(epochs, stepsPerEpoch);
    }
  }

  /**
   * Tells the planned length by steps. It may come late, again, or never. Where epochs are planned
   * as well, and {@linkplain #epochEnded ends} of them are told, the epochs alone count.
   *
   * @param total how many steps the training has in all, those before a resume included; 0 or less
   *     if unknown
   */
  public void planSteps(long total) {
    if (run != null) {
      run.planSteps(total);
    }
  }

  /**
   * Tells that a checkpoint was loaded: steps and progress count from there, the remaining time is
   * still learned from this session alone. To be called before the first step.
   *
   * @param step how many steps were done before this session, 0 or more
   */
  public void resumedAt(long step) {
    if (run != null) {
      run.resumedAt(step);
    }
  }

  /**
   * {@link #resumedAt} for a training that begins the epoch anew in which the checkpoint was made:
   * what had been done of it counts as steps, but not as a part of an epoch.
   *
   * @param step how many steps were done before this session, 0 or more
   */
  public void resumedBetweenEpochs(long step) {
    if (run != null) {
      run.resumedBetweenEpochs(step);
    }
  }

  /**
   * Tells that a checkpoint was loaded, by epochs. The setting {@code WAYMARK_START_EPOCH} does the
   * same from outside. To be called before the first step.
   *
   * @param epochsDone how many epochs were done before this session, 0 or more
   */
  public void resumedAtEpoch(int epochsDone) {
    if (run != null) {
      run.resumedAtEpoch(epochsDone);
    }
  }

  /**
   * One more step (update, iteration, batch) is done. Costs well below a microsecond and allocates
   * nothing.
   */
  public void step() {
    if (run != null) {
      run.step();
    }
  }

  /** {@link #step()} and {@link #loss(double)} in one. */
  public void step(double loss) {
    if (run != null) {
      run.step(loss);
    }
  }

  /**
   * {@link #step()} for listeners that look for more with steps.
   *
   * @return whether to do so now: false right after another step, when nothing else need be told or
   *     {@linkplain #sampleDue() asked}, and if the run takes in no steps
   */
  public boolean stepAndLook() {
    return run != null && run.step();
  }

  /** {@link #stepAndLook()} and {@link #loss(double)} in one. */
  public boolean stepAndLook(double loss) {
    return run != null && run.step(loss);
  }

  /** The newest training loss. */
  public void loss(double loss) {
    if (run != null) {
      run.loss(loss);
    }
  }

  /** The newest learning rate. */
  public void learningRate(double rate) {
    if (run != null) {
      run.learningRate(rate);
    }
  }

  /**
   * The newest value of a metric, for instance {@code eval_accuracy}. The first 256 names of a run
   * are kept.
   *
   * @param name at most 64 characters are reported
   */
  public void metric(String name, double value) {
    if (run != null && name != null) {
      run.metric(name, value);
    }
  }

  /**
   * An epoch is done, its evaluation included.
   *
   * @param epochsDone how many epochs are done by now: 1 after the first; those before a resume
   *     count
   */
  public void epochEnded(int epochsDone) {
    if (run != null) {
      run.epochEnded(epochsDone);
      sending.run();
    }
  }

  /** {@link #epochEnded(int)} for who doesn't count: one more epoch is done. */
  public void epochEnded() {
    if (run != null) {
      run.epochEnded();
      sending.run();
    }
  }

  /**
   * Says that the end of an epoch is sure to be told, at the latest when the next one begins: as
   * long as none was told there was no second one, and a training of several epochs that ends by
   * then was cut short. Without that word nothing follows from an end that isn't told.
   *
   * @param every false takes it back
   */
  public void tellsEpochs(boolean every) {
    if (run != null) {
      run.tellsEpochs(every);
    }
  }

  /**
   * The training pauses for an evaluation (or a checkpoint). The state is {@code evaluating} until
   * the next step; the time up to there, or up to {@link #epochEnded}, is not taken for slow steps.
   */
  public void evaluating() {
    if (run != null) {
      run.evaluating();
    }
  }

  /**
   * The program's own progress, which wins over what follows from plan and steps.
   *
   * @param percent 0 to 100; values outside are clamped, and only a completed run shows 100
   */
  public void progress(double percent) {
    if (run != null) {
      run.progress(percent);
    }
  }

  /**
   * The program's own estimate of the time that remains from now on, which wins over Waymark's.
   *
   * @param remaining negative counts as zero; null takes an earlier estimate back
   */
  public void remaining(Duration remaining) {
    if (run != null) {
      run.remaining(remaining == null ? -1 : nanos(remaining));
    }
  }

  /**
   * Whether it is time to read figures that cost something, such as a loss that lies on a device:
   * true a few times per report interval, false if the run is inert.
   */
  public boolean sampleDue() {
    if (run == null || !samples.isDue() || !run.isLive()) {
      return false;
    }
    sending.run();
    return true;
  }

  /** The run has ended as planned: 100 percent. */
  public void complete() {
    end(RunState.COMPLETED);
  }

  /**
   * Nothing more is trained, and nobody says how that came: the run is {@linkplain #complete()
   * completed} if all is done that was planned, or if that is {@linkplain #isPlanKnown unknown},
   * and {@linkplain #stoppedEarly() stopped early} if less is done.
   */
  public void over() {
    if (run != null && run.over()) {
      sending.run();
    }
  }

  /** The run was ended before its time on purpose, for instance because it no longer improved. */
  public void stoppedEarly() {
    end(RunState.STOPPED_EARLY);
  }

  /** The run was ended because its numbers grew out of hand. */
  public void diverged() {
    end(RunState.DIVERGED);
  }

  /**
   * The run has failed.
   *
   * @param cause what went wrong; named in the log at debug level, never sent; may be null
   */
  public void failed(Throwable cause) {
    if (end(RunState.FAILED) && cause != null) {
      // The class only: a message may hold anything, and toString() is the program's own code.
      log.debug("the run has failed: " + cause.getClass().getName());
    }
  }

  /** True if the run was live until now. */
  private boolean end(RunState state) {
    boolean ended = run != null && run.end(state);
    if (ended) {
      sending.run();
    }
    return ended;
  }

  /**
   * Ends a run that has not been ended otherwise, as {@link #stoppedEarly()}: closing is not
   * success.
   */
  @Override
  public void close() {
    stoppedEarly();
  }

  /**
   * For listeners that are never told the end: the run counts as completed if no step comes for a
   * while, or when the JVM ends. Each {@link #step()} starts the time anew. As long as less is done
   * than planned it does not: the run goes on, and the JVM's end interrupts it.
   *
   * @param quiet the time without a step, counted from now or from the last step after now; at
   *     least three times the longest pause between two steps of this run, evaluations apart; while
   *     it is {@link #evaluating()} at least 10 minutes, and three times the longest evaluation. No
   *     pause asks for more than an hour
   * @param evenIfSignalled whether the run also counts as completed when a signal ends the JVM
   *     before that; if not, it is {@code interrupted}
   */
  public void presumeCompleted(Duration quiet, boolean evenIfSignalled) {
    if (run != null && quiet != null) {
      run.presumeEnd(nanos(quiet), false, evenIfSignalled);
    }
  }

  /**
   * For listeners that know that there is nothing more to come, unless something goes wrong or the
   * program begins anew: like {@link #presumeCompleted}, but a run of which less is done than
   * planned counts as stopped early, and no pause of the run makes the time longer.
   *
   * @param quiet the time without a step, counted from now or from the last step after now
   * @param evenIfSignalled as above
   */
  public void presumeOver(Duration quiet, boolean evenIfSignalled) {
    if (run != null && quiet != null) {
      run.presumeEnd(nanos(quiet), true, evenIfSignalled);
    }
  }

  /** Takes {@link #presumeCompleted} or {@link #presumeOver} back: the training goes on. */
  public void withdrawPresumption() {
    if (run != null) {
      run.withdrawPresumption();
    }
  }

  /**
   * For loops of short calls that each tell their end: while it is within one, what was {@linkplain
   * #presumeCompleted presumed} doesn't hold. It holds again when the call has ended, and the time
   * without a step counts from the last one. Costs next to nothing.
   */
  public void busy(boolean withinCall) {
    if (run != null) {
      run.busy(withinCall);
    }
  }

  boolean isBusy() {
    return run != null && run.isBusy();
  }

  /** 0 or more, and no overflow even for ten thousand years. */
  private static long nanos(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
  }
}
