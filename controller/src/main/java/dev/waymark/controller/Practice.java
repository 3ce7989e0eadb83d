package dev.waymark.controller;

/**
 * What a component does for each TrainJob, done with {@link SampleTrainJob}. Used by one thread,
 * while the component is at work, and of no effect on that.
 */
public interface Practice extends AutoCloseable {

  /** Does it once. May wait for other threads of this process, and for nobody else. */
  void round();

  /** Lets go of what it holds; the component may have been closed by then. */
  @Override
  default void close() {}
}
