package dev.waymark.dl4j;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The trainings that one listener serves, by what they belong to, which they don't keep alive. Safe
 * for any thread.
 */
final class ListenedTrainings<K> {
  private final Supplier<ListenedTraining> newTraining;
  private final WeakIdentityMap<K, ListenedTraining> trainings = new WeakIdentityMap<>();

  /** As old as the listener: two that were made up front are for models trained at once. */
  private final ListenedTraining first;

  private final AtomicBoolean firstIsTaken = new AtomicBoolean();

  ListenedTrainings(Supplier<ListenedTraining> newTraining) {
    this.newTraining = newTraining;
    first = newTraining.get();
  }

  /** The training of a model, or of what stands for it; made now if there is none. */
  ListenedTraining of(K key) {
    return trainings.computeIfAbsent(
        key, () -> firstIsTaken.getAndSet(true) ? newTraining.get().besides(first) : first);
  }

  /** The training that was found for it before; null if none was. */
  ListenedTraining known(K key) {
    return trainings.get(key);
  }

  /** From now on that is a part of this training. */
  ListenedTraining join(K part, ListenedTraining training) {
    return trainings.computeIfAbsent(part, () -> training);
  }
}
