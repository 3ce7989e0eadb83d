package dev.waymark.djl;

import ai.djl.training.dataset.Dataset;
import java.lang.ref.WeakReference;

/**
 * Counts a hand-written loop's passes over its training data, which are its epochs, by the data
 * sets that it iterates: the one that was iterated last before a step is the training data, and
 * whichever is iterated after a step ends the pass.
 */
final class DataPasses {
  private WeakReference<Dataset> iterated = new WeakReference<>(null);
  private WeakReference<Dataset> trained = new WeakReference<>(null);
  private boolean inPass;
  private int passes;

  /**
   * A data set is about to be iterated.
   *
   * @return whether that begins an evaluation: the data is not what the loop trains on
   */
  boolean iterates(Dataset dataset) {
    if (inPass) {
      passes++;
      inPass = false;
    }
    iterated = new WeakReference<>(dataset);
    Dataset trainingData = trained.get();
    return trainingData != null && trainingData != dataset;
  }

  void step() {
    if (!inPass) {
      trained = iterated;
      inPass = iterated.get() != null;
    }
  }

  /** How many passes are over. */
  int passes() {
    return passes;
  }
}
