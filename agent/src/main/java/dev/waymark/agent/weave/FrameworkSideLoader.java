package dev.waymark.agent.weave;

import java.io.IOException;
import java.util.Locale;

/**
 * Defines the listener and the agent's side beside one copy of a framework: the framework's types
 * come from its loader, the reporter from the agent's, and a copy of the listener that the program
 * brings itself stays out of it.
 */
final class FrameworkSideLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final Framework framework;
  private final AgentFiles agent;

  FrameworkSideLoader(Framework framework, ClassLoader copy, AgentFiles agent) {
    super("waymark-" + framework.name().toLowerCase(Locale.ROOT), copy);
    this.framework = framework;
    this.agent = agent;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (framework.isBeside(name)) {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }
    return name.startsWith("dev.waymark.")
        ? FrameworkSideLoader.class.getClassLoader().loadClass(name)
        : super.loadClass(name, resolve);
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try {
      byte[] classFile = agent.read(name.replace('.', '/') + ".class");
      if (classFile == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, classFile, 0, classFile.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
