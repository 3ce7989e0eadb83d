package dev.waymark.dl4j;

import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.samediff.TrainingConfig;

/** Reads what a SameDiff in training shows of itself, on the thread that trains it. */
final class SameDiffFigures {
  private final DeviceMemory memory = DeviceMemory.ofBackend();

  /** Where an instance stands. */
  static Counters counters(At at) {
    return new Counters(at.iteration(), at.epoch());
  }

  /** Tells what is due of an instance that has made a step. */
  void tell(Due due, At at, TrainingConfig config, Figures training) {
    if (due != Due.NOTHING) {
      training.learningRate(counters(at).learningRate(config.getUpdater()));
    }
    if (due == Due.ALL) {
      memory.tell(training::metric);
    }
  }
}
