package dev.waymark.cli.run;

import java.util.Map;
import java.util.Optional;

/** Finds the likely reason why a program reported nothing. */
final class Silence {

  private Silence() {}

  /**
   * One line for the user.
   *
   * @param environment of the leader
   * @param lastRefusal why the endpoint refused what did come, if something came
   */
  static String explain(Map<String, String> environment, Optional<String> lastRefusal) {
    if (lastRefusal.isPresent()) {
      return "No report got in. The last one was refused, for " + lastRefusal.get();
    }
    if (environment.getOrDefault("DISABLE_KUBEFLOW_INTEGRATION", "").equalsIgnoreCase("true")) {
      return "Nothing was reported, for DISABLE_KUBEFLOW_INTEGRATION is true";
    }
    if (environment.getOrDefault("WAYMARK_ENABLED", "").equalsIgnoreCase("false")) {
      return "Nothing was reported, for WAYMARK_ENABLED is false";
    }
    return "Nothing was reported: the program ended before it trained, or trains with something"
        + " that the agent does not know (it knows DJL)";
  }
}
