package dev.waymark.djl;

import ai.djl.training.dataset.Dataset;
import java.lang.ref.WeakReference;

/**
 * Counts a hand-written loop's passes over its training data, which are its epochs, by the data
 * sets that it iterates: the one that was iterated last before the first step is the training data,
 * and a pass is over when that is iterated again after a step.
 *
 * <p>Any other data set is taken for an evaluation, after a pass or in the middle of one: a step
 * after it goes on with the pass. Training data that is another object in each pass looks the same,
 * so no passes are counted there, rather than wrong ones.
 */
final class DataPasses {
  private WeakReference<Dataset> iterated = new WeakReference<>(null);

  /** Null before the first step; what it refers to is null where the loop reads its data itself. */
  private WeakReference<Dataset> trained;

  /** Whether the present pass has any. */
  private boolean hasSteps;

  /** Whether a step has followed other data: in the midst of a pass, or on other training data. */
  private boolean isMixed;

  private int passes;

  /**
   * A data set is about to be iterated.
   *
   * @return whether that begins an evaluation: the data is not what the loop trains on
   */
  boolean iterates(Dataset dataset) {
    iterated = new WeakReference<>(dataset);
    Dataset trainingData = trained == null ? null : trained.get();
    if (trainingData == null) {
      return false;
    }
    if (trainingData != dataset) {
      return true;
    }
    if (hasSteps) {
      passes++;
      hasSteps = false;
    }
    return false;
  }

  void step() {
    if (trained == null) {
      trained = iterated;
    }
    hasSteps = true;
    isMixed |= iterated.get() != trained.get();
  }

  /**
   * Whether no pass can be over that isn't counted: the training data is known, and all steps have
   * followed it. Where other data came in between nobody can say which of the two it was.
   */
  boolean areAllCounted() {
    return trained != null && trained.get() != null && !isMixed;
  }

  /** How many passes are over. */
  int passes() {
    return passes;
  }
}
