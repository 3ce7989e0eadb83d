package dev.waymark.reporter;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Whether this process speaks for its job. A job has one status, and every one of its processes is
 * given the address and the token, so only the leader may report.
 *
 * <p>The leader is the process whose rank is 0 by every variable that is set: {@code
 * JOB_COMPLETION_INDEX} and {@code PET_NODE_RANK} tell nodes apart, {@code LOCAL_RANK} the
 * processes of a node, {@code RANK} and the like the processes of a job. A process without any rank
 * is alone, and so the leader. {@code WAYMARK_RANK} overrules them all.
 */
final class Rank {
  /** The setting that overrules what the launchers say. */
  static final String OVERRIDE = "WAYMARK_RANK";

  /** In the order in which a rank other than 0 is named to the user. */
  private static final List<String> VARIABLES =
      List.of(
          "JOB_COMPLETION_INDEX", // Kubernetes, Job with completionMode Indexed
          "PET_NODE_RANK", // Kubeflow Trainer, torch policy; the torchrun option --node-rank
          "RANK", // torchrun
          "LOCAL_RANK", // torchrun
          "OMPI_COMM_WORLD_RANK", // Open MPI
          "PMIX_RANK", // Open MPI, Slurm with PMIx
          "PMI_RANK", // MPICH, Intel MPI
          "MV2_COMM_WORLD_RANK", // MVAPICH2
          "SLURM_PROCID", // srun
          "JAX_PROCESS_ID", // Kubeflow Trainer, jax policy
          "DMLC_TASK_ID"); // Kubeflow Trainer, xgboost policy

  private final int value;
  private final String variable;

  private Rank(int value, String variable) {
    this.value = value;
    this.variable = variable;
  }

  /**
   * @param get the value of an environment variable, null if it is not set
   */
  static Rank detect(UnaryOperator<String> get) {
    int override = parse(get.apply(OVERRIDE));
    if (override >= 0) {
      return new Rank(override, OVERRIDE);
    }
    for (String variable : VARIABLES) {
      int rank = parse(get.apply(variable));
      if (rank > 0) {
        return new Rank(rank, variable);
      }
    }
    return new Rank(0, "");
  }

  boolean isLeader() {
    return value == 0;
  }

  /** For the log, for instance {@code 3 (JOB_COMPLETION_INDEX)}. */
  @Override
  public String toString() {
    return variable.isEmpty() ? Integer.toString(value) : value + " (" + variable + ")";
  }

  /**
   * Negative if the text is no rank: "node-1" in a variable of some other tool says nothing about
   * us.
   */
  private static int parse(String text) {
    if (text == null) {
      return -1;
    }
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
