package dev.waymark.agent;

import java.util.Locale;

/** Decides whether the agent has work in this JVM. */
final class Activation {
  /**
   * What runs {@code java Train.java}: ...launcher.Main, since JDK 22 ...launcher.SourceLauncher.
   */
  private static final String SOURCE_LAUNCHER = "jdk.compiler/com.sun.tools.javac.launcher.";

  private Activation() {}

  /**
   * Whether a training in this JVM is to be reported. Without a lambda on the way: the first one in
   * a JVM costs some 20 ms, in every JVM of the pod.
   */
  static boolean isWanted() {
    return isWanted(
        setting("KUBEFLOW_TRAINER_SERVER_URL"),
        setting("DISABLE_KUBEFLOW_INTEGRATION"),
        setting("WAYMARK_ENABLED"),
        property("sun.java.command"));
  }

  /**
   * The decision, by the same settings as the reporter's; null where one is not set.
   *
   * @param command main class and arguments as the launcher got them, null if unknown
   */
  static boolean isWanted(String serverUrl, String disabled, String enabled, String command) {
    return isSet(serverUrl)
        && !is("true", disabled)
        && !is("false", enabled)
        && !isToolWithParsedOutput(command == null ? "" : command);
  }

  /** A setting as this JVM has it: the system property, or else the environment variable. */
  static String setting(String name) {
    String property = property(name.toLowerCase(Locale.ROOT).replace('_', '.'));
    try {
      return property == null ? System.getenv(name) : property;
    } catch (SecurityException e) {
      return null; // A security manager hides it: it isn't set.
    }
  }

  private static String property(String name) {
    try {
      return System.getProperty(name);
    } catch (SecurityException e) {
      return null;
    }
  }

  private static boolean isSet(String value) {
    return value != null && !value.isBlank();
  }

  private static boolean is(String expected, String value) {
    return value != null && value.strip().equalsIgnoreCase(expected);
  }

  /**
   * JVMs that can't train and whose output others parse: the JDK's own tools (their main class lies
   * in a module {@code jdk.*}), and DJL's forked question for the GPUs, which is read with standard
   * error mixed in (0.36.0).
   */
  private static boolean isToolWithParsedOutput(String command) {
    String main = command.split(" ", 2)[0];
    boolean tool = main.startsWith("jdk.") && main.contains("/");
    return (tool && !main.startsWith(SOURCE_LAUNCHER)) || main.equals("ai.djl.util.cuda.CudaUtils");
  }
}
