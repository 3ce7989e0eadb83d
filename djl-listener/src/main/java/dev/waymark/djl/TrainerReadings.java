package dev.waymark.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListener.BatchData;
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
  private int epochsDone;
  private int notifiedEpochs;
  private long plannedSteps;
  private boolean toldLearningRate;
  private LearningRate learningRate;
  private volatile LossSource lossSource = LossSource.UNKNOWN;
  private volatile double sampledLoss = Double.NaN;

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
      step(trainer, accumulatedLoss(trainer));
    }
  }

  /** The trainer has updated its parameters. */
  void update(Trainer trainer) {
    passes.step();
    if (steps.update()) {
      step(trainer, Double.NaN);
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
    EpochResults.tell(run, trainer);
    epochsDone(++notifiedEpochs);
  }

  /**
   * The loss is about to be propagated back. A read waits for the device, so there are few. May be
   * called from the threads of a pool (DJL 0.36 on several devices with an executor).
   */
  void backward(NDArray loss) {
    if (lossSource != LossSource.ACCUMULATOR && loss != null && run.sampleDue()) {
      sampledLoss = value(loss);
    }
  }

  /** Another trainer has stepped: a loss that was sampled since was the other one's. */
  void forgetSample() {
    sampledLoss = Double.NaN;
  }

  private void step(Trainer trainer, double accumulatedLoss) {
    double sample = sampledLoss;
    sampledLoss = Double.NaN;
    double loss = Double.isNaN(accumulatedLoss) ? sample : accumulatedLoss;

    epochLength.step();
    planSteps();
    if (Double.isNaN(loss)) {
      run.step();
    } else {
      run.step(loss);
    }
    // The first is told without asking, so that the next loss may be sampled already.
    if (!toldLearningRate || !Double.isNaN(sample) || run.sampleDue()) {
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

  private double accumulatedLoss(Trainer trainer) {
    if (lossSource == LossSource.BACKWARD) {
      return Double.NaN;
    }
    try {
      double loss = trainer.getLoss().getAccumulator(EvaluatorTrainingListener.TRAIN_ALL);
      lossSource = Double.isNaN(loss) ? LossSource.UNKNOWN : LossSource.ACCUMULATOR;
      return loss;
    } catch (IllegalArgumentException e) {
      // DJL 0.36 says so where no EvaluatorTrainingListener has prepared it.
      lossSource = LossSource.BACKWARD;
      return Double.NaN;
    }
  }

  private LearningRate learningRate(Trainer trainer) {
    if (learningRate == null) {
      learningRate = LearningRate.of(trainer);
    }
    return learningRate;
  }

  private static double value(NDArray loss) {
    if (loss.size() == 1) {
      return scalar(loss);
    }
    try (NDArray mean = loss.mean()) {
      return scalar(mean);
    }
  }

  private static double scalar(NDArray loss) {
    if (loss.getDataType() == DataType.FLOAT64) {
      return loss.getDouble();
    }
    return loss.getDataType() == DataType.FLOAT32 ? loss.getFloat() : Double.NaN;
  }
}
