package dev.waymark.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListener.BatchData;
import dev.waymark.reporter.Fault;
import dev.waymark.reporter.TrainingRun;

/**
 * Reads the numbers of one trainer into its run: steps, epochs, loss, learning rate, results.
 *
 * <p>To be called on the thread that trains, except for {@link #backward}. Holds no array and no
 * trainer.
 */
final class TrainerReadings {
  /** Where the loss of a batch is to be had. */
  private enum LossSource {
    UNKNOWN,
    /** The user's listeners keep it, so that it costs nothing to read. */
    ACCUMULATOR,
    /** Nobody keeps it; {@link #backward} sees it, on the device. */
    BACKWARD
  }

  private final TrainingRun run;
  private final int plannedEpochs;
  private final StepCount steps = new StepCount();
  private final EpochLength epochLength = new EpochLength();
  private final DataPasses passes = new DataPasses();
  private final EpochResults results = new EpochResults();
  private int epochsDone;
  private int notifiedEpochs;
  private boolean tellsEpochs;
  private long plannedSteps;
  private boolean toldLearningRate;
  private LearningRate learningRate;
  private volatile LossSource lossSource = LossSource.UNKNOWN;

  /** The loss that {@link #backward} saw since the last step; null if it read none. */
  private volatile Double sampledLoss;

  /**
   * Begins to read for a run, and tells it the plan.
   *
   * @param plannedEpochs epochs of the training in all, 0 if unknown
   * @param learningRate null if it is to be found from the trainer
   */
  TrainerReadings(TrainingRun run, int plannedEpochs, LearningRate learningRate) {
    this.run = run;
    this.plannedEpochs = plannedEpochs;
    this.learningRate = learningRate;
    run.plan(plannedEpochs, 0);
  }

  /** A batch was trained and notified. */
  void batch(Trainer trainer, BatchData batchData) {
    Batch batch = batchData == null ? null : batchData.getBatch();
    if (batch != null) {
      epochLength.batch(batch.getProgressTotal(), batch.getSize());
    }
    if (steps.batch()) {
      step(trainer, accumulatedLoss(trainer, batchData));
    }
  }

  /** The trainer has updated its parameters. */
  void update(Trainer trainer) {
    passes.step();
    if (passes.areAllCounted() != tellsEpochs) {
      tellsEpochs = !tellsEpochs;
      run.tellsEpochs(tellsEpochs);
    }
    if (steps.update()) {
      step(trainer, null);
    }
  }

  /** A hand-written loop is about to iterate a data set. */
  void iterates(Dataset dataset) {
    boolean evaluates = passes.iterates(dataset);
    epochsDone(passes.passes());
    if (evaluates) {
      run.evaluating();
    }
  }

  /** An epoch's end was notified. */
  void epoch(Trainer trainer) {
    run.learningRate(learningRate(trainer).now());
    try {
      results.tell(run, trainer);
    } finally {
      epochsDone(++notifiedEpochs); // even if an evaluator fails
    }
  }

  /** Nothing more is trained, perhaps: while steps are made the rate is read now and then only. */
  void pauses() {
    if (learningRate != null) {
      run.learningRate(learningRate.now());
    }
  }

  /**
   * The loss was propagated back. A read waits for the device, so there are few. May be called from
   * the threads of a pool (DJL 0.36 on several devices with an executor).
   */
  void backward(NDArray loss) {
    if (lossSource != LossSource.ACCUMULATOR && loss != null && run.sampleDue()) {
      sampledLoss = valueOrNull(loss);
    }
  }

  /** Another trainer has stepped: a loss that was sampled since was the other one's. */
  void forgetSample() {
    sampledLoss = null;
  }

  /**
   * @param accumulatedLoss null if nobody keeps it
   */
  private void step(Trainer trainer, Double accumulatedLoss) {
    Double sample = sampledLoss;
    sampledLoss = null;
    Double loss = accumulatedLoss == null ? sample : accumulatedLoss;

    epochLength.step();
    planSteps();
    if (loss == null) {
      run.step();
    } else {
      run.step(loss); // NaN too: the reporter leaves it out, and the loss before it is outdated
    }
    // The first is told without asking, so that the next loss may be sampled already.
    if (!toldLearningRate || sample != null || run.sampleDue()) {
      toldLearningRate = true;
      run.learningRate(learningRate(trainer).now());
    }
  }

  /**
   * Both the passes over the data and the notified ends are epochs; the one that is ahead counts.
   */
  private void epochsDone(int epochs) {
    if (epochs > epochsDone) {
      epochsDone = epochs;
      epochLength.epochEnded();
      planSteps();
      run.epochEnded();
    }
  }

  private void planSteps() {
    if (epochLength.steps() != plannedSteps) {
      plannedSteps = epochLength.steps();
      run.plan(plannedEpochs, plannedSteps);
    }
  }

  /**
   * The batch's loss as the user's listeners have it; null if they have none. It is NaN where the
   * training has gone astray, but also where nothing was measured.
   */
  private Double accumulatedLoss(Trainer trainer, BatchData batchData) {
    if (lossSource == LossSource.BACKWARD) {
      return null;
    }
    try {
      double loss = trainer.getLoss().getAccumulator(EvaluatorTrainingListener.TRAIN_ALL);
      boolean known = !Double.isNaN(loss) || isMeasured(trainer, batchData);
      lossSource = known ? LossSource.ACCUMULATOR : LossSource.UNKNOWN;
      return known ? loss : null;
    } catch (IllegalArgumentException e) {
      // DJL 0.36 says so where no EvaluatorTrainingListener has prepared it.
      lossSource = LossSource.BACKWARD;
      return null;
    } catch (RuntimeException e) {
      // A program's own Loss. The step counts all the same, and so do those that follow.
      Fault.tell(e);
      lossSource = LossSource.BACKWARD;
      return null;
    }
  }

  /**
   * Whether the listeners had what they measure. DJL 0.36 calls them, where an executor trains on
   * several devices, before these are done.
   */
  private static boolean isMeasured(Trainer trainer, BatchData batchData) {
    boolean mayBeFilledYet =
        trainer.getDevices().length > 1 && trainer.getExecutorService().isPresent();
    return batchData != null && !batchData.getLabels().isEmpty() && !mayBeFilledYet;
  }

  private LearningRate learningRate(Trainer trainer) {
    if (learningRate == null) {
      learningRate = LearningRate.of(trainer);
    }
    return learningRate;
  }

  /** The mean over the batch; null for a type that is not read. */
  private static Double valueOrNull(NDArray loss) {
    if (loss.size() == 1) {
      return scalarOrNull(loss);
    }
    try (NDArray mean = loss.mean()) {
      return scalarOrNull(mean);
    }
  }

  private static Double scalarOrNull(NDArray loss) {
    if (loss.getDataType() == DataType.FLOAT64) {
      return loss.getDouble();
    }
    return loss.getDataType() == DataType.FLOAT32 ? (Double) (double) loss.getFloat() : null;
  }
}
