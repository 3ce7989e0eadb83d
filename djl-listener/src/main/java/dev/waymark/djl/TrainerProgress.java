package dev.waymark.djl;

import ai.djl.TrainingDivergedException;
import ai.djl.ndarray.NDArray;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.EarlyStoppingListener.EarlyStoppedException;
import ai.djl.training.listener.TrainingListener;
import dev.waymark.reporter.AwaitedRun;
import dev.waymark.reporter.EndingExceptions;
import dev.waymark.reporter.Fault;
import dev.waymark.reporter.TrainingRun;
import dev.waymark.reporter.Turn;
import dev.waymark.reporter.Turn.Hold;
import dev.waymark.reporter.UncaughtFailure;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reports one {@link Trainer} of a program that knows nothing of it: the agent creates one when the
 * trainer is constructed (at its first notification), keeps it in a weak map, and calls it from its
 * hooks.
 *
 * <p>How a run ends follows from what the hooks see:
 *
 * <ul>
 *   <li>{@code EasyTrain.fit} returned: all its epochs are done. The run is over when the trainer
 *       is closed or used again, when another one starts, a minute later, or when the JVM ends. It
 *       is completed, or stopped early if {@code WAYMARK_EPOCHS} plans more.
 *   <li>Only fits of one epoch in a row are one run, whose length only {@code WAYMARK_EPOCHS}
 *       tells. Where it does and fewer are done, the run is stopped early when the trainer is
 *       closed or used otherwise, or another one starts; until then it goes on, and the JVM's end
 *       interrupts it. Where nothing tells the length it is completed then, or when the JVM ends,
 *       but not after a while.
 *   <li>Something was thrown out of fit, or out of a hooked call of a hand-written loop: stopped
 *       early, diverged or failed. A loop that fails before its first step is a run of no steps.
 *   <li>A hand-written loop never says that it is done, and close() comes after failures too. It is
 *       over when another trainer starts that was constructed after its last step, a minute after
 *       its last step, or when the JVM ends; failed, if its thread dies of an exception. Where
 *       {@code WAYMARK_EPOCHS} plans more than is done, it is stopped early; but only another
 *       trainer or close() and then a minute or the JVM's end show that. Until then it goes on, and
 *       the JVM's end interrupts it.
 *   <li>The JVM ends within fit: interrupted, as the reporter sees by itself.
 * </ul>
 *
 * <p>It holds neither the trainer nor any of its arrays. Every method may be called from any
 * thread, returns at once, and never throws. Where a method takes what the hooked call threw, that
 * is null after a normal return; the caller throws it on.
 */
public final class TrainerProgress implements TrainingListener {
  private enum Phase {
    /** Nothing is trained, or no more. */
    IDLE,
    /** Within {@code EasyTrain.fit}. */
    FITTING,
    /** Fit has returned; the run may be over. */
    FITTED,
    /** A hand-written loop has stepped; the run may be over. */
    LOOPING
  }

  /** Of DJL's own exceptions two are no failures: its listeners end a training by throwing them. */
  private static final EndingExceptions ENDINGS =
      EndingExceptions.of(
          List.of(EarlyStoppedException.class.getName()),
          List.of(TrainingDivergedException.class.getName()));

  /** The one that is reported, or was last. */
  private static volatile TrainerProgress reported;

  /** The one that collected gradients last on a thread. Holds neither it nor its class there. */
  private static final ThreadLocal<WeakReference<TrainerProgress>> COLLECTING = new ThreadLocal<>();

  private final Duration quiet;
  private final Function<String, TrainingRun> runs;
  private final Turn turn = new Turn();
  private final WeakReference<TrainerProgress> self = new WeakReference<>(this);
  private volatile Phase phase = Phase.IDLE;
  private volatile TrainingRun run;
  private volatile TrainerReadings readings;
  private volatile LearningRate learningRate;

  /** The run that the next step of a loop begins; null if nobody waits for one. */
  private volatile AwaitedRun awaited;

  private volatile boolean closed;

  /** What is iterated last, which a loop's first step will show to be its training data. */
  private volatile WeakReference<Dataset> iterated = new WeakReference<>(null);

  /** Whether the run consists of fits of one epoch each. */
  private volatile boolean ofSingleEpochs;

  /** Creates the progress of a trainer under construction. */
  public TrainerProgress() {
    this(Quiet.ONE_MINUTE, TrainingRun::attach);
  }

  /**
   * @param quiet how long a run that may be over waits for more
   * @param runs starts a run on behalf of what it is given the name of
   */
  TrainerProgress(Duration quiet, Function<String, TrainingRun> runs) {
    this.quiet = quiet;
    this.runs = runs;
  }

  /** The trainer's constructor has returned: tells which optimizer it uses. */
  public void constructed(TrainingConfig config) {
    Fault.guard(() -> learningRate = LearningRate.of(config.getOptimizer()));
  }

  /** {@code EasyTrain.fit} was entered with this trainer. */
  public void fitBegan(Trainer trainer, int numEpoch) {
    Fault.guard(
        () -> {
          if (numEpoch <= 0) {
            return; // nothing will be trained
          }
          if (numEpoch == 1 && isContinuedByOneEpoch()) {
            run.withdrawPresumption();
            turn.hold(Hold.FIRM);
          } else {
            begin(trainer, numEpoch);
          }
          phase = Phase.FITTING;
        });
  }

  private boolean isContinuedByOneEpoch() {
    return phase == Phase.FITTED && ofSingleEpochs && !run.hasEnded() && !turn.isFreeAgain();
  }

  /** {@code EasyTrain.fit} has returned, or thrown. */
  public void fitEnded(Throwable thrown) {
    Fault.guard(
        () -> {
          if (phase != Phase.FITTING) {
            return;
          }
          if (thrown != null) {
            end(thrown);
            return;
          }
          phase = Phase.FITTED;
          turn.hold(isFitOver() ? Hold.LOOSE : Hold.UNTIL_YOUNGER);
          presume();
          if (!isFitOver()) {
            UncaughtFailure.watch(run, ENDINGS);
          }
        });
  }

  /**
   * {@code Trainer.notifyListeners} has called the user's listeners (or was left by what one of
   * them threw); this listener is the last to be called.
   */
  public void notified(Consumer<TrainingListener> callback, Throwable thrown) {
    try {
      callback.accept(this);
    } catch (Throwable e) {
      // A program may notify its own listeners of what others don't know, and cast them for it.
    }
    Fault.guard(() -> hookThrew(thrown));
  }

  /** {@code Trainer.step} has returned, or thrown. */
  public void stepped(Trainer trainer, Throwable thrown) {
    Fault.guard(
        () -> {
          if (phase != Phase.FITTING) {
            loops(trainer);
          }
          if (thrown == null) {
            readings.update(trainer);
            turn.stepped();
          } else {
            hookThrew(thrown);
          }
          TrainerProgress other = reported;
          if (other != null && other != this) {
            other.readings.forgetSample();
          }
        });
  }

  /** {@code Trainer.iterateDataset} has returned, or thrown. */
  public void datasetIterated(Trainer trainer, Dataset dataset, Throwable thrown) {
    Fault.guard(
        () -> {
          if (run == null && isNobodyElseTraining()) {
            awaitFirstStep(trainer);
          }
          if (thrown != null) {
            hookThrew(thrown);
            return;
          }
          iterated = new WeakReference<>(dataset);
          if (phase == Phase.LOOPING) {
            readings.iterates(dataset);
          }
        });
  }

  /** {@code Trainer.newGradientCollector} has returned, or thrown: this trainer trains. */
  public void collectsGradients(Trainer trainer, Throwable thrown) {
    Fault.guard(
        () -> {
          if (COLLECTING.get() != self) {
            COLLECTING.set(self);
          }
          if (phase != Phase.FITTING && !isLooping()) {
            awaitFirstStep(trainer);
          }
          hookThrew(thrown);
        });
  }

  /**
   * {@code GradientCollector.backward} has returned. Which trainer it serves is not said; the value
   * counts for the one that is reported if that one steps next. The array is read, on the calling
   * thread, only when a report is due, and is not kept.
   *
   * @param loss the argument of {@code backward}
   */
  public static void backward(NDArray loss) {
    Fault.guard(
        () -> {
          TrainerProgress training = reported;
          if (training != null) {
            training.readings.backward(loss);
          }
        });
  }

  /**
   * {@code GradientCollector.backward} has thrown: it is taken to serve the trainer that collected
   * gradients last on this thread. Where none did, since a collector was had from the engine itself
   * or the thread is one of a pool's, it is the one that is reported.
   */
  public static void backwardFailed(Throwable thrown) {
    Fault.guard(
        () -> {
          WeakReference<TrainerProgress> collecting = COLLECTING.get();
          TrainerProgress training = collecting == null ? reported : collecting.get();
          if (training != null && !training.closed) {
            training.hookThrew(thrown);
          }
        });
  }

  /** {@inheritDoc} */
  @Override
  public void onTrainingBegin(Trainer trainer) {}

  /** {@inheritDoc} */
  @Override
  public void onTrainingBatch(Trainer trainer, BatchData batchData) {
    Fault.guard(
        () -> {
          if (phase != Phase.FITTING) {
            loops(trainer);
          }
          readings.batch(trainer, batchData);
          turn.stepped();
        });
  }

  /** {@inheritDoc} */
  @Override
  public void onValidationBatch(Trainer trainer, BatchData batchData) {
    Fault.guard(
        () -> {
          if (phase != Phase.IDLE && !(phase == Phase.FITTED && isFitOver())) {
            run.evaluating();
            presume(); // an evaluation after the last step is no quiet
          }
        });
  }

  /** {@inheritDoc} */
  @Override
  public void onEpoch(Trainer trainer) {
    Fault.guard(
        () -> {
          if (phase != Phase.IDLE) {
            readings.epoch(trainer);
          }
        });
  }

  /** {@inheritDoc} */
  @Override
  public void onTrainingEnd(Trainer trainer) {
    Fault.guard(
        () -> {
          closed = true;
          if (phase != Phase.IDLE) {
            readings.pauses();
          }
          turn.hold(Hold.LOOSE);
          if (phase == Phase.FITTED) {
            turn.over();
          } else if (phase == Phase.LOOPING) {
            run.presumeOver(quiet, false);
          }
          UncaughtFailure.leaveEnded();
        });
  }

  /** Whether a step outside fit goes on with a run. */
  private boolean isLooping() {
    return phase == Phase.LOOPING && !run.hasEnded() && !turn.isFreeAgain();
  }

  /** This or the next step begins a run: should it fail before, the run fails. */
  private void awaitFirstStep(Trainer trainer) {
    AwaitedRun next = awaited;
    if (next == null || next.isOver()) {
      next = new AwaitedRun(turn, name(trainer), ENDINGS);
      awaited = next;
    }
    UncaughtFailure.watch(next);
  }

  private boolean isNobodyElseTraining() {
    TrainerProgress other = reported;
    return other == null || other == this || other.run.hasEnded();
  }

  /** A step outside fit. */
  private void loops(Trainer trainer) {
    if (!isLooping()) {
      begin(trainer, 0);
      phase = Phase.LOOPING;
      readings.iterates(iterated.get());
      turn.hold(Hold.UNTIL_YOUNGER);
      presume();
    }
    UncaughtFailure.watch(run, ENDINGS);
  }

  /**
   * Begins a run, after the one before, which is over by that.
   *
   * @param epochsOfFit 0 for a loop
   */
  private void begin(Trainer trainer, int epochsOfFit) {
    AwaitedRun next = awaited;
    if (next != null) {
      next.begins();
      awaited = null;
    }
    turn.over();
    run = turn.take(() -> runs.apply(name(trainer)));
    ofSingleEpochs = epochsOfFit == 1;
    // Fit counts from 0 also after a resume.
    int allEpochs = epochsOfFit <= 1 ? 0 : run.epochsBefore() + epochsOfFit;
    readings = new TrainerReadings(run, allEpochs, learningRate);
    if (run.isReported()) {
      reported = this;
    }
  }

  /** The run is over if nothing more is trained, as far as that can be said. */
  private void presume() {
    if (phase == Phase.FITTED && isFitOver()) {
      run.presumeOver(quiet, true);
    } else if (phase == Phase.FITTED && !run.isPlanKnown()) {
      run.presumeCompleted(Quiet.UNTIL_JVM_ENDS, false);
    } else if (phase != Phase.FITTING) {
      run.presumeCompleted(quiet, false);
    }
  }

  /** Whether all is done that a fit, or the plan of fits of one epoch each, was to do. */
  private boolean isFitOver() {
    return !ofSingleEpochs || run.isPlanDone();
  }

  /** What is thrown within fit, fit itself will throw, unless the program catches it. */
  private void hookThrew(Throwable thrown) {
    AwaitedRun next = awaited;
    if (thrown == null || phase == Phase.FITTING) {
      return;
    }
    if (isLooping()) {
      end(thrown);
    } else if (next != null) {
      next.failed(thrown);
    }
  }

  private void end(Throwable thrown) {
    phase = Phase.IDLE;
    readings.pauses();
    ENDINGS.end(run, thrown);
  }

  private static String name(Trainer trainer) {
    String model = trainer.getModel().getName();
    return model == null || model.isEmpty() ? "DJL Trainer" : "DJL Trainer of model " + model;
  }
}
