package dev.waymark.agent.weave;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The part of the agent that is compiled against DJL, once for each copy of DJL in the JVM.
 *
 * <p>A {@link ClassValue} on DJL's own class ties its life to that copy: when the program drops a
 * loader with its DJL, all that the agent made for it goes too.
 */
final class FrameworkSides {
  private static final String ANCHOR = "ai.djl.training.Trainer";
  private static final String SIDE = "dev.waymark.agent.djl.DjlSide";

  private final AgentFiles agent;
  private final Notices notices;
  private final ClassValue<Map<HookPoint, BiConsumer<Object[], Throwable>>> sides =
      new ClassValue<>() {
        @Override
        protected Map<HookPoint, BiConsumer<Object[], Throwable>> computeValue(Class<?> anchor) {
          return create(anchor.getClassLoader());
        }
      };

  FrameworkSides(AgentFiles agent, Notices notices) {
    this.agent = agent;
    this.notices = notices;
  }

  /**
   * Who is to be told about a hook point of a woven class.
   *
   * @return null if nobody is
   */
  BiConsumer<Object[], Throwable> find(Class<?> woven, HookPoint point)
      throws ClassNotFoundException {
    Class<?> anchor = Class.forName(ANCHOR, false, woven.getClassLoader());
    return sides.get(anchor).get(point);
  }

  private Map<HookPoint, BiConsumer<Object[], Throwable>> create(ClassLoader framework) {
    String name = DjlVersion.of(framework);
    try {
      Object side =
          new FrameworkSideLoader(framework, agent)
              .loadClass(SIDE)
              .getDeclaredConstructor()
              .newInstance();
      @SuppressWarnings("unchecked")
      Map<HookPoint, BiConsumer<Object[], Throwable>> hooks =
          ((Supplier<Map<HookPoint, BiConsumer<Object[], Throwable>>>) side).get();
      notices.attached(name);
      return hooks;
    } catch (Throwable t) {
      notices.notAttached("the listener doesn't link with " + name + ": " + t);
      return Map.of();
    }
  }
}
