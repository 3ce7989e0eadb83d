package dev.waymark.djl;

import ai.djl.training.ParameterStore;
import ai.djl.training.Trainer;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.ParameterTracker;
import ai.djl.training.tracker.Tracker;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;

/**
 * The learning rate that an optimizer works with now.
 *
 * <p>DJL 0.36 shows it nowhere, so it is read from private fields: each optimizer but Adadelta has
 * a {@code learningRateTracker}, and every one has its number of updates. DJL's jars are automatic
 * modules, which are open. Where a field is not there the rate is unknown.
 *
 * <p>Only trackers of DJL itself are asked: they give the same value for the same number of
 * updates, while a user's tracker may count its calls. To be called on the thread that trains, as
 * DJL's trackers keep state too.
 */
final class LearningRate {
  private static final LearningRate UNKNOWN = new LearningRate(null, null, null, null);

  /** Weak: the optimizer holds arrays as large as the model. */
  private final WeakReference<Optimizer> optimizer;

  private final Field tracker;
  private final Field updates;
  private final Field updatesBefore;

  private LearningRate(Optimizer optimizer, Field tracker, Field updates, Field updatesBefore) {
    this.optimizer = new WeakReference<>(optimizer);
    this.tracker = tracker;
    this.updates = updates;
    this.updatesBefore = updatesBefore;
  }

  /** The learning rate of an optimizer; null gives an unknown one. */
  static LearningRate of(Optimizer optimizer) {
    if (optimizer == null) {
      return UNKNOWN;
    }
    Field tracker = field(optimizer.getClass(), ParameterTracker.class, "learningRateTracker");
    Field updates = field(Optimizer.class, int.class, "numUpdate");
    Field updatesBefore = field(Optimizer.class, int.class, "beginNumUpdate");
    return new LearningRate(optimizer, tracker, updates, updatesBefore);
  }

  /**
   * The learning rate of a trainer whose constructor was not seen. A trainer keeps its optimizer
   * within its parameter store's server (engines with a server of their own keep it elsewhere).
   */
  static LearningRate of(Trainer trainer) {
    Object store = read(field(Trainer.class, ParameterStore.class, "parameterStore"), trainer);
    Object server = read(field(ParameterStore.class, Object.class, "parameterServer"), store);
    return server == null
        ? UNKNOWN
        : of((Optimizer) read(field(server.getClass(), Optimizer.class, "optimizer"), server));
  }

  /** The rate of the newest update, or of the first one before there was any; NaN if unknown. */
  double now() {
    Optimizer from = optimizer.get();
    Object rates = read(tracker, from);
    Object done = read(updates, from);
    Object before = read(updatesBefore, from);
    if (!isBundled(rates) || done == null || before == null) {
      return Double.NaN;
    }
    return ((ParameterTracker) rates).getNewValue("", Math.max((int) before + 1, (int) done));
  }

  /** A tracker that wraps a user's one is no better than that. */
  private static boolean isBundled(Object tracker) {
    if (tracker == null
        || !tracker.getClass().getPackageName().equals(Tracker.class.getPackageName())) {
      return false;
    }
    Field wrapped = field(tracker.getClass(), Tracker.class, "mainTracker");
    return wrapped == null || isBundled(read(wrapped, tracker));
  }

  /** The field of that name in the class or above it, made accessible; null if there is none. */
  private static Field field(Class<?> owner, Class<?> type, String name) {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      try {
        Field field = c.getDeclaredField(name);
        if (type.isAssignableFrom(field.getType())) {
          field.setAccessible(true);
          return field;
        }
      } catch (NoSuchFieldException e) {
        // then in the class above
      } catch (RuntimeException e) {
        return null; // a module that keeps it closed
      }
    }
    return null;
  }

  private static Object read(Field field, Object owner) {
    try {
      return field == null || owner == null ? null : field.get(owner);
    } catch (IllegalAccessException e) {
      return null;
    }
  }
}
