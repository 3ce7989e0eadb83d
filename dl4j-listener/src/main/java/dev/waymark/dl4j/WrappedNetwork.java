package dev.waymark.dl4j;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.deeplearning4j.nn.api.Model;

/**
 * The network that a {@code ParallelWrapper} trains.
 *
 * <p>Its jar is optional. And reflection, which looks at all members of a class, fails for the one
 * of 1.0.0-M2.1 where deeplearning4j-core is left out: a field's type is in there.
 */
final class WrappedNetwork {
  private WrappedNetwork() {}

  static Model of(Object wrapper) {
    try {
      MethodHandle getModel =
          MethodHandles.publicLookup()
              .findVirtual(wrapper.getClass(), "getModel", MethodType.methodType(Model.class));
      return (Model) getModel.invoke(wrapper);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a ParallelWrapper that doesn't show its network", e);
    }
  }
}
