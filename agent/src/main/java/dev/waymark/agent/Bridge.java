package dev.waymark.agent;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * What woven classes can see of the agent. They find it by name through the system loader, once
 * each in their static initialiser, and share only JDK types with it. So nothing has to lie on the
 * bootstrap path, which would print a warning and switch AppCDS off (seen with JDK 17).
 */
public final class Bridge {
  private static volatile BiFunction<Class<?>, String, BiConsumer<Object[], Throwable>> hooks;

  private Bridge() {}

  /** Says who answers {@link #hook}; called once, before anything is woven. */
  public static void connect(
      BiFunction<Class<?>, String, BiConsumer<Object[], Throwable>> hooksByPoint) {
    hooks = hooksByPoint;
  }

  /**
   * What a woven class calls at one of its hook points. Called by reflection from woven code, which
   * keeps the answer in a static final field.
   *
   * @param woven the class that asks
   * @param point name of a {@code HookPoint}
   */
  public static BiConsumer<Object[], Throwable> hook(Class<?> woven, String point) {
    return hooks.apply(woven, point);
  }
}
