package dev.waymark.agent.weave;

import dev.waymark.agent.AgentClassLoader;
import dev.waymark.agent.Bridge;
import dev.waymark.agent.Log;
import dev.waymark.reporter.TrainingRun;
import java.lang.instrument.Instrumentation;
import java.util.function.Consumer;

/** Puts the agent's parts together: bridge, transformer, notice at exit. */
public final class Installer implements Consumer<Instrumentation> {
  private final AgentFiles agent = ((AgentClassLoader) Installer.class.getClassLoader())::read;
  private final Notices notices = new Notices(Log::info);
  private final FrameworkSides sides = new FrameworkSides(agent, notices);

  /** Called by the agent's main class, by reflection. */
  public Installer() {}

  @Override
  public void accept(Instrumentation instrumentation) {
    Bridge.connect(this::hook);
    // Woven classes get new fields, which retransformation can't give: only classes yet to come.
    instrumentation.addTransformer(
        new FrameworkTransformer(agent, notices, TrainingRun::standAside), false);
    Runtime.getRuntime().addShutdownHook(new Thread(notices::atExit, "waymark-notice"));
  }

  private Hook hook(Class<?> woven, String pointName) {
    HookPoint point = HookPoint.valueOf(pointName);
    return new Hook(point, () -> side(woven, point), notices);
  }

  private FrameworkSide side(Class<?> woven, HookPoint point) throws ClassNotFoundException {
    switch (point) {
      case GPUS_ASKED_FOR:
        return (at, call, thrown) -> call[0] = ForkedGpuQuery.withoutBanner((String[]) call[0]);
      case STEPPED:
      case ITERATION_DONE:
      case SAMEDIFF_ITERATION_ENDED:
        notices.trained();
        return sides.find(woven, point.framework());
      default:
        return sides.find(woven, point.framework());
    }
  }
}
