package dev.waymark.agent.weave;

import java.io.IOException;

/**
 * Defines the listener and the agent's DJL side beside one copy of DJL: DJL's types come from the
 * framework's loader, the reporter from the agent's, and a copy of the listener that the program
 * brings itself stays out of it.
 */
final class FrameworkSideLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final AgentFiles agent;

  FrameworkSideLoader(ClassLoader framework, AgentFiles agent) {
    super("waymark-djl", framework);
    this.agent = agent;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith("dev.waymark.djl.") || name.startsWith("dev.waymark.agent.djl.")) {
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
