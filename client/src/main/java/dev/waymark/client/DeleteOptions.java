package dev.waymark.client;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import java.time.Duration;

/**
 * How to delete a TrainJob.
 *
 * @param dependents what becomes of its JobSet and pods: they go soon after it, or first, or stay
 * @param patience how long to wait until it has gone; 0: not at all
 */
public record DeleteOptions(DeletionPropagation dependents, Duration patience) {

  /** Pods and all in the background, without waiting. */
  public static DeleteOptions standard() {
    return new DeleteOptions(DeletionPropagation.BACKGROUND, Duration.ZERO);
  }

  public DeleteOptions with(DeletionPropagation dependents) {
    return new DeleteOptions(dependents, patience);
  }

  public DeleteOptions waiting(Duration patience) {
    return new DeleteOptions(dependents, patience);
  }
}
