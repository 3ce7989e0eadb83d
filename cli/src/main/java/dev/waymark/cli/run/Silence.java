package dev.waymark.cli.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the likely reason why a program reported nothing. */
final class Silence {

  /** As the reporter asks for them; WAYMARK_RANK goes before. */
  static final List<String> RANKS =
      List.of(
          "JOB_COMPLETION_INDEX",
          "PET_NODE_RANK",
          "RANK",
          "LOCAL_RANK",
          "OMPI_COMM_WORLD_RANK",
          "PMIX_RANK",
          "PMI_RANK",
          "MV2_COMM_WORLD_RANK",
          "SLURM_PROCID",
          "JAX_PROCESS_ID",
          "DMLC_TASK_ID");

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
      return "Nothing was reported. DISABLE_KUBEFLOW_INTEGRATION is true, which turns reports off";
    }
    if (environment.getOrDefault("WAYMARK_ENABLED", "").equalsIgnoreCase("false")) {
      return "Nothing was reported. WAYMARK_ENABLED is false, which turns reports off";
    }
    Optional<String> rank = otherRank(environment);
    if (rank.isPresent()) {
      return "Nothing was reported. The environment says "
          + rank.get()
          + ", and only rank 0 reports";
    }
    return "Nothing was reported. Perhaps the program ended before it trained, or trains with"
        + " something that the agent does not know (it knows DJL and Deeplearning4j)";
  }

  /** The variable and value by which the program's reporter takes itself for another than 0. */
  private static Optional<String> otherRank(Map<String, String> environment) {
    Stream<String> names =
        isRank(environment.get("WAYMARK_RANK")) ? Stream.of("WAYMARK_RANK") : RANKS.stream();
    return names
        .filter(name -> isRank(environment.get(name)))
        .filter(name -> Integer.parseInt(environment.get(name).strip()) > 0)
        .map(name -> name + "=" + environment.get(name).strip())
        .findFirst();
  }

  private static boolean isRank(String value) {
    return value != null && value.strip().matches("[0-9]{1,9}");
  }
}
