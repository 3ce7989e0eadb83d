package dev.waymark.cli.run;

import dev.waymark.status.TrainJobKey;
import java.time.Duration;
import java.util.List;

/**
 * What is to be run: the same thing for a plain command and for a TrainJob.
 *
 * @param trainJob whose status the reports are
 * @param nodes at least one; the first is the leader
 * @param readsInput whether the only node reads the terminal's input, as a command does
 * @param grace how long a node may take to end after SIGTERM
 * @param warnings what this machine does otherwise than a cluster, each a sentence
 */
record RunPlan(
    TrainJobKey trainJob,
    List<Node> nodes,
    boolean readsInput,
    Duration grace,
    List<String> warnings) {

  /** Kubernetes' own default, {@code terminationGracePeriodSeconds} of a pod. */
  static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);

  RunPlan {
    nodes = List.copyOf(nodes);
    warnings = List.copyOf(warnings);
  }
}
