package dev.waymark.agent;

import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Where the JVM hands over to Waymark: {@code -javaagent} and {@code Launcher-Agent-Class}.
 *
 * <p>{@code JAVA_TOOL_OPTIONS} brings the agent into every JVM of a pod, so outside a training it
 * returns before it has loaded anything more than {@link Activation}.
 */
public final class WaymarkAgent {
  private static final AtomicBoolean ATTACHED = new AtomicBoolean();

  private WaymarkAgent() {}

  /** Called by the JVM for {@code -javaagent}, before the program's main. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    attach(instrumentation);
  }

  /** Called by the JVM for {@code Launcher-Agent-Class}, before the program's main. */
  public static void agentmain(String arguments, Instrumentation instrumentation) {
    attach(instrumentation);
  }

  private static void attach(Instrumentation instrumentation) {
    try {
      if (!Activation.isWanted()
          // The options of several variables and of a manifest add up: once is enough.
          || !ATTACHED.compareAndSet(false, true)) {
        return;
      }
      installer(AgentClassLoader.ofThisJar()).accept(instrumentation);
    } catch (Throwable t) {
      Log.info("not attached, the training runs without progress reports: " + t);
    }
  }

  @SuppressWarnings("unchecked")
  private static Consumer<Instrumentation> installer(AgentClassLoader loader)
      throws ReflectiveOperationException {
    Class<?> installer = loader.loadClass("dev.waymark.agent.weave.Installer");
    return (Consumer<Instrumentation>) installer.getDeclaredConstructor().newInstance();
  }
}
