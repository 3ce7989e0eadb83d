package dev.waymark.benchmarks;

import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.TrainingListener;

/** Measures what another listener takes. */
final class MeasuredListener extends BaseTrainingListener {
  private final TrainingListener measured;

  MeasuredListener(TrainingListener measured) {
    this.measured = measured;
  }

  @Override
  public void onEpochStart(Model model) {
    Stopwatch.start();
    measured.onEpochStart(model);
    Stopwatch.stop();
  }

  @Override
  public void iterationDone(Model model, int iteration, int epoch) {
    Stopwatch.start();
    measured.iterationDone(model, iteration, epoch);
    Stopwatch.stop();
  }

  @Override
  public void onEpochEnd(Model model) {
    Stopwatch.start();
    measured.onEpochEnd(model);
    Stopwatch.stop();
  }
}
