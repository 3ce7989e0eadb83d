package dev.waymark.client;

import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.RuntimeResource;
import java.util.List;

/**
 * A runtime as those see it who choose one.
 *
 * @param kind whose TrainJobs can use it
 * @param name what a TrainJob says to use it
 * @param framework what its image holds, from its label
 * @param image of its trainer container
 * @param numNodes nodes that a TrainJob gets unless it says a number, at least 1
 * @param device of all its nodes together
 * @param resource the whole of it
 */
public record TrainerRuntime(
    RuntimeKind kind,
    String name,
    String framework,
    String image,
    int numNodes,
    Device device,
    RuntimeResource resource) {

  /** The framework whose trainer is built into the runtime: it runs no program of its user's. */
  static final String TORCHTUNE = "torchtune";

  /** Kind and name, as people read them. */
  public String title() {
    return resource.title();
  }

  /** Whether it runs the programs of its users. */
  public boolean takesPrograms() {
    return !framework.equals(TORCHTUNE);
  }

  /**
   * The names of its replicated jobs in whose pods the training runs: with MPI the launcher's too,
   * which is the first node. A {@link RuntimePatchBuilder patch} of all nodes names each of them.
   */
  public List<String> nodeJobs() {
    return RuntimeReader.nodeJobs(resource);
  }

  /** Whether its nodes are started by a launcher. */
  boolean isMpi() {
    return policy() != null && policy().mpi() != null;
  }

  /** Whether its nodes are started by torchrun. */
  boolean isTorch() {
    return policy() != null && policy().torch() != null;
  }

  private MLPolicy policy() {
    return resource.getSpec().mlPolicy();
  }
}
