package dev.waymark.dl4j;

/** Takes what is told of a training now and then, and not with each step. */
interface Figures {
  void learningRate(double rate);

  void metric(String name, double value);
}
