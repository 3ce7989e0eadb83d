package dev.waymark.agent;

import java.util.Locale;
import java.util.function.UnaryOperator;

/** Decides whether the agent has work in this JVM. */
final class Activation {
  private Activation() {}

  /**
   * Whether a training in this JVM is to be reported, by the same settings as the reporter's.
   *
   * @param settings the value of a setting by its name, null if it is not set
   * @param command main class and arguments as the launcher got them, empty if unknown
   */
  static boolean isWanted(UnaryOperator<String> settings, String command) {
    return isSet(settings.apply("KUBEFLOW_TRAINER_SERVER_URL"))
        && !is("true", settings.apply("DISABLE_KUBEFLOW_INTEGRATION"))
        && !is("false", settings.apply("WAYMARK_ENABLED"))
        && !isToolWithParsedOutput(command);
  }

  /** A setting as this JVM has it: the system property, or else the environment variable. */
  static String setting(String name) {
    String property = System.getProperty(name.toLowerCase(Locale.ROOT).replace('_', '.'));
    return property == null ? System.getenv(name) : property;
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
    return (main.startsWith("jdk.") && main.contains("/"))
        || main.equals("ai.djl.util.cuda.CudaUtils");
  }
}
