package dev.waymark.dl4j;

import dev.waymark.reporter.TrainingRun;

/** Takes what is told of a training now and then, and not with each step. */
interface Figures {
  /** The run that they are told of; null before there is one. */
  TrainingRun run();

  default void learningRate(double rate) {
    TrainingRun run = run();
    if (run != null) {
      run.learningRate(rate);
    }
  }

  default void metric(String name, double value) {
    TrainingRun run = run();
    if (run != null) {
      run.metric(name, value);
    }
  }
}
