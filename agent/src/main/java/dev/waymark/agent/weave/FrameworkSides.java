package dev.waymark.agent.weave;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of the agent that are compiled against a framework, once for each copy of it in the
 * JVM.
 *
 * <p>A {@link ClassValue} on the framework's own class ties its life to that copy: when the program
 * drops a loader with its framework, all that the agent made for it goes too.
 */
final class FrameworkSides {
  private final AgentFiles agent;
  private final Notices notices;
  private final Map<Framework, Sides> sides = new EnumMap<>(Framework.class);

  FrameworkSides(AgentFiles agent, Notices notices) {
    this.agent = agent;
    this.notices = notices;
    for (Framework framework : Framework.values()) {
      sides.put(framework, new Sides(framework));
    }
  }

  /**
   * Who is to be told about the hook points of a woven class.
   *
   * @return null if nobody is
   */
  FrameworkSide find(Class<?> woven, Framework framework) throws ClassNotFoundException {
    Class<?> anchor = Class.forName(framework.anchor(), false, woven.getClassLoader());
    return sides.get(framework).get(anchor).orElse(null);
  }

  private Optional<FrameworkSide> create(Framework framework, ClassLoader copy) {
    String name = framework.in(copy);
    try {
      FrameworkSide side =
          (FrameworkSide)
              new FrameworkSideLoader(framework, copy, agent)
                  .loadClass(framework.side())
                  .getDeclaredConstructor()
                  .newInstance();
      notices.attached(name);
      return Optional.of(side);
    } catch (Throwable t) {
      notices.notAttached("the listener doesn't link with " + name + ": " + t);
      return Optional.empty();
    }
  }

  /** By the anchors of the copies of one framework. */
  private final class Sides extends ClassValue<Optional<FrameworkSide>> {
    private final Framework framework;

    Sides(Framework framework) {
      this.framework = framework;
    }

    @Override
    protected Optional<FrameworkSide> computeValue(Class<?> anchor) {
      return create(framework, anchor.getClassLoader());
    }
  }
}
