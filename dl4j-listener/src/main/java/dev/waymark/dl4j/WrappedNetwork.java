package dev.waymark.dl4j;

import dev.waymark.reporter.UncaughtFailure;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicBoolean;
import org.deeplearning4j.nn.api.Model;

/**
 * What a {@code ParallelWrapper} shows: the network that it trains, and whether it was stopped.
 *
 * <p>Its jar is optional. And reflection, which looks at all members of a class, fails for the one
 * of 1.0.0-M2.1 where deeplearning4j-core is left out: a field's type is in there.
 */
final class WrappedNetwork {
  private WrappedNetwork() {}

  static Model of(Object wrapper) {
    return (Model) get(wrapper, "getModel", Model.class);
  }

  /**
   * The network whose replica the present thread of a wrapper trains; null if it can't be known.
   * All threads of a wrapper share a handler of uncaught exceptions, which is an inner object of
   * the wrapper (1.0.0-M2.1).
   */
  static Model ofThisThread() {
    Object handler = UncaughtFailure.handlerOfProgram();
    Object wrapper = handler == null ? null : PrivateField.read(handler, "this$0");
    return wrapper == null ? null : of(wrapper);
  }

  /** Whether {@code stopFit()} was called since the last fit began. */
  static boolean isStopped(Object wrapper) {
    return ((AtomicBoolean) get(wrapper, "getStopFit", AtomicBoolean.class)).get();
  }

  /** A class that the program has derived need not be public; the wrapper's own is. */
  private static Object get(Object wrapper, String getter, Class<?> type) {
    try {
      MethodHandle value =
          MethodHandles.publicLookup()
              .findVirtual(FrameworkClass.of(wrapper), getter, MethodType.methodType(type));
      return value.invoke(wrapper);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a ParallelWrapper without " + getter, e);
    }
  }
}
