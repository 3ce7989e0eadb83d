package dev.waymark.samples.dl4j;

import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.BaseTrainingListener;

/** Keeps the loss of the batch that was trained last; several threads may train. */
final class LastScore extends BaseTrainingListener {
  private volatile double score = Double.NaN;

  double get() {
    return score;
  }

  /** {@inheritDoc} */
  @Override
  public void iterationDone(Model model, int iteration, int epoch) {
    score = model.score();
  }
}
