package dev.waymark.client;

/**
 * One pod's part in a TrainJob. Of pods that follow each other in the same part, the newest.
 *
 * @param name {@code dataset-initializer}, {@code model-initializer} or {@code node-<index>}; with
 *     MPI the launcher is {@code node-0} and the workers follow
 * @param podName of the pod
 * @param phase {@code Pending}, {@code Running}, {@code Succeeded}, {@code Failed}, {@code
 *     Unknown}; empty until a kubelet or scheduler has said one
 * @param device what its container was given
 * @param trouble why the pod doesn't run or what has gone wrong in it, such as {@code
 *     ImagePullBackOff: ...}; empty if nothing is known
 */
public record Step(String name, String podName, String phase, Device device, String trouble) {

  /** Whether it trains; the others fetch what is needed first. */
  public boolean isNode() {
    return name.startsWith("node-");
  }

  /** The container whose log is the step's. */
  String container() {
    return isNode() ? "node" : name;
  }

  boolean isRunningOrDone() {
    return phase.equals("Running") || phase.equals("Succeeded");
  }
}
