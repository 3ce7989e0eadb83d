package dev.waymark.dl4j;

import java.lang.ref.WeakReference;

/**
 * A value of each thread's own, null at first. That of the first thread which sets one lies in the
 * open, for mostly a single thread trains: a thread's map of such values is spread over more
 * memory, which real iterations have pushed out of the caches by the next look.
 *
 * <p>Keeps no thread alive, and leaves nothing in one whose value is null.
 */
final class OfThread<V> {
  @SuppressWarnings("ThreadLocalUsage") // one for each copy of a framework, and empty after fit
  private final ThreadLocal<V> ofOthers = new ThreadLocal<>();

  private volatile First<V> first = new First<>(null);

  /** The present thread's value. */
  V get() {
    First<V> present = first;
    return present.isThisThread() ? present.value : ofOthers.get();
  }

  /** Sets the present thread's value; null for none. */
  void set(V value) {
    if (isOfFirst() || (ofOthers.get() == null && takesPlace())) {
      first.value = value;
    } else if (value == null) {
      ofOthers.remove();
    } else {
      ofOthers.set(value);
    }
  }

  /** Whether the present thread is the one whose value lies in the open. */
  boolean isOfFirst() {
    return first.isThisThread();
  }

  /** The place is free where no thread has it, or one that has ended. */
  private synchronized boolean takesPlace() {
    Thread before = first.get();
    boolean free = before == null || !before.isAlive();
    if (free) {
      first = new First<>(Thread.currentThread());
    }
    return free;
  }

  /** The value is read and set by its thread only. */
  private static final class First<V> extends WeakReference<Thread> {
    private V value;

    First(Thread thread) {
      super(thread);
    }

    boolean isThisThread() {
      return get() == Thread.currentThread();
    }
  }
}
