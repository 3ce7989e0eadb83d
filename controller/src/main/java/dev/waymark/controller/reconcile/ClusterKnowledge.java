package dev.waymark.controller.reconcile;

import dev.waymark.plan.ClusterSettings;
import dev.waymark.plan.InvalidSnapshotException;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import java.util.Optional;

/**
 * What admission needs to know of the cluster, from the same caches that the reconcilers have. A
 * call may ask the API server where a cache can be behind, so it may wait. Every replica has it,
 * whoever leads; safe for every thread, once the reconcilers have started.
 */
public final class ClusterKnowledge {

  private final Caches caches;
  private final RuntimeSource runtimes;
  private final ClusterView cluster;
  private final Courtesy courtesy;

  ClusterKnowledge(Caches caches, RuntimeSource runtimes, ClusterView cluster, Courtesy courtesy) {
    this.caches = caches;
    this.runtimes = runtimes;
    this.cluster = cluster;
    this.courtesy = courtesy;
  }

  /**
   * The runtime that the reference of a new TrainJob names, as it is now. Whoever asks has a user
   * who waits, so the reconcilers stand back for a moment.
   *
   * @param namespace of the TrainJob
   * @return empty when there is none
   * @throws RuntimeException with upstream's words, when the kind isn't known
   */
  public Optional<RuntimeResource> runtime(RuntimeRef ref, String namespace) {
    courtesy.userAsks();
    return runtimes.current(ref, namespace);
  }

  /**
   * The runtime as it was when the TrainJob was made.
   *
   * @return empty while no snapshot was taken
   * @throws InvalidSnapshotException when the ConfigMap in its place can't be used
   */
  public Optional<RuntimeResource> snapshot(TrainJob trainJob) {
    return runtimes.ofSnapshot(trainJob);
  }

  /** The JobSet that belongs to a TrainJob. */
  public Optional<JobSet> jobSet(TrainJob trainJob) {
    return caches.jobSet(trainJob).filter(trainJob::owns);
  }

  /**
   * What this cluster adds to every plan.
   *
   * @throws IllegalStateException while pods could not trust the status server
   */
  public ClusterSettings settings() {
    return cluster.settings();
  }
}
