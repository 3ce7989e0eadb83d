package dev.waymark.agent;

import java.util.Locale;
import java.util.Map;

/** Decides whether the agent has work in this JVM. */
final class Activation {
  private Activation() {}

  /**
   * Whether a training in this JVM is to be reported.
   *
   * @param environment the process's environment variables
   * @param command main class and arguments as the launcher got them, empty if unknown
   */
  static boolean isWanted(Map<String, String> environment, String command) {
    return !environment.getOrDefault("KUBEFLOW_TRAINER_SERVER_URL", "").isEmpty()
        && !isTrue(environment.get("DISABLE_KUBEFLOW_INTEGRATION"))
        && !isFalse(environment.get("WAYMARK_ENABLED"))
        && !isToolWithParsedOutput(command);
  }

  private static boolean isTrue(String setting) {
    return setting != null && setting.toUpperCase(Locale.ROOT).equals("TRUE");
  }

  private static boolean isFalse(String setting) {
    return setting != null && setting.toUpperCase(Locale.ROOT).equals("FALSE");
  }

  /**
   * JVMs that can't train and whose output others parse: the JDK's own tools (their main class lies
   * in a module {@code jdk.*}), and DJL's forked question for the GPUs, which is read with standard
   * error mixed in (0.36.0).
   */
  private static boolean isToolWithParsedOutput(String command) {
    String main = command.split(" ", 2)[0];
    return main.startsWith("jdk.") && main.contains("/")
        || main.equals("ai.djl.util.cuda.CudaUtils");
  }
}
