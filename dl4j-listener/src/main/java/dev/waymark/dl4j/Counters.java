package dev.waymark.dl4j;

import dev.waymark.reporter.TrainingRun;
import org.nd4j.linalg.learning.config.IUpdater;

/**
 * How much a model was trained before now, by its own counters. They outlive the process: a
 * restored model goes on where it was saved. Immutable.
 */
final class Counters {
  static final Counters ZERO = new Counters(0, 0);

  private final int iterations;
  private final int epochs;

  Counters(int iterations, int epochs) {
    this.iterations = iterations;
    this.epochs = epochs;
  }

  /**
   * The learning rate that an updater has there; NaN if it has none, or none that can be known.
   *
   * @param updater may be null
   */
  double learningRate(IUpdater updater) {
    return UpdaterRate.of(updater, iterations, epochs);
  }

  /**
   * What of them a run can go on from: of a model that was trained by batches, steps whose epochs
   * are unknown would be taken for a part of the first one.
   *
   * @param withEpochs whether the run will be told its epochs
   */
  Counters asStart(boolean withEpochs) {
    return withEpochs && epochs == 0 ? ZERO : this;
  }

  /** Where a model stands that has gone on from here. */
  Counters plus(long moreIterations, int moreEpochs) {
    return new Counters(
        (int) Math.min(Integer.MAX_VALUE, iterations + moreIterations), epochs + moreEpochs);
  }

  /** How far a model has gone since it stood there; 0 where its counters were set back. */
  Counters since(Counters before) {
    return new Counters(
        Math.max(0, iterations - before.iterations), Math.max(0, epochs - before.epochs));
  }

  int iterations() {
    return iterations;
  }

  int epochs() {
    return epochs;
  }

  /**
   * Tells a run that begins where the model stands; what the settings tell wins. Deeplearning4j
   * begins its pass over the data anew, wherever the model was saved.
   *
   * @param withEpochs whether the run will be told its epochs
   */
  void resume(TrainingRun run, boolean withEpochs) {
    if (withEpochs && epochs > 0 && run.epochsBefore() == 0) {
      run.resumedAtEpoch(epochs);
    }
    if (iterations > 0) {
      run.resumedBetweenEpochs(iterations);
    }
  }
}
