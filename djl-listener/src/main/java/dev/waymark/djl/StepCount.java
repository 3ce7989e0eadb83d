package dev.waymark.djl;

/**
 * Tells which of a trainer's events is one more step.
 *
 * <p>{@code EasyTrain.fit} gives an {@code onTrainingBatch} and then a {@code Trainer.step()} for
 * each batch; a hand-written loop may give the step alone, both in either order, or several batches
 * to a step (gradients accumulated). Steps are what there is more of: batches or calls of step().
 */
final class StepCount {
  private long batches;
  private long updates;
  private long steps;

  /** A batch was notified; returns whether that is a new step. */
  boolean batch() {
    return isNew(++batches);
  }

  /** {@code Trainer.step()} was called; returns whether that is a new step. */
  boolean update() {
    return isNew(++updates);
  }

  private boolean isNew(long count) {
    if (count <= steps) {
      return false;
    }
    steps = count;
    return true;
  }
}
