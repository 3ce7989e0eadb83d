package dev.waymark.dl4j;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Values that live as long as the objects they belong to, told apart by identity: a network of
 * Deeplearning4j 1.0.0-M2.1 that is asked for equality compares all its parameters. Safe for any
 * thread. A value must not refer to its key.
 */
final class WeakIdentityMap<K, V> {
  private final Map<Key, V> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** The value of a key, made now if there is none. */
  V computeIfAbsent(K key, Supplier<V> value) {
    for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
      values.remove(gone);
    }
    V known = values.get(new Key(key, null));
    return known != null
        ? known
        : values.computeIfAbsent(new Key(key, collected), created -> value.get());
  }

  /** The value of a key; null if there is none. */
  V get(K key) {
    return values.get(new Key(key, null));
  }

  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object referent, ReferenceQueue<Object> queue) {
      super(referent, queue);
      hash = System.identityHashCode(referent);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      if (this == other) {
        return true;
      }
      Object referent = get();
      return other instanceof Key && referent != null && referent == ((Key) other).get();
    }
  }
}
