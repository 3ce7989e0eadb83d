package dev.waymark.dl4j;

import java.lang.ref.WeakReference;
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

  private volatile Latest latest;

  ListenedTrainings(Supplier<ListenedTraining> newTraining) {
    this.newTraining = newTraining;
    first = newTraining.get();
  }

  /** The training of a model, or of what stands for it; made now if there is none. */
  ListenedTraining of(K key) {
    ListenedTraining same = ifLatest(key);
    if (same != null) {
      return same;
    }
    ListenedTraining training =
        trainings.computeIfAbsent(
            key, () -> firstIsTaken.getAndSet(true) ? newTraining.get().besides(first) : first);
    latest = new Latest(key, training);
    return training;
  }

  /** The training of this model, if it is the one that was asked for last; else null. */
  ListenedTraining ifLatest(K key) {
    Latest before = latest;
    return before != null && before.isOf(key) ? before.training : null;
  }

  /** The training that was asked for last; null if none was. */
  ListenedTraining latest() {
    Latest before = latest;
    return before == null ? null : before.training;
  }

  /** The training that was found for it before; null if none was. */
  ListenedTraining known(K key) {
    return trainings.get(key);
  }

  /** From now on that is a part of this training. */
  ListenedTraining join(K part, ListenedTraining training) {
    return trainings.computeIfAbsent(part, () -> training);
  }

  /** What was asked for last: as long as it is the same, nobody looks into the map. */
  private static final class Latest extends WeakReference<Object> {
    private final ListenedTraining training;

    Latest(Object key, ListenedTraining training) {
      super(key);
      this.training = training;
    }

    boolean isOf(Object other) {
      return get() == other;
    }
  }
}
