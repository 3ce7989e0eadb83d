package dev.waymark.controller.webhook;

import dev.waymark.plan.ClusterSettings;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import java.util.Optional;

/**
 * What the webhooks need to know of the cluster. The calls may wait; they throw when the cluster
 * can't be asked. Called by several threads at a time.
 */
interface AdmissionState {

  /** The runtime that a new TrainJob names, as it is now; empty when there is none. */
  Optional<RuntimeResource> runtime(TrainJob trainJob);

  /**
   * The runtime that a stored TrainJob goes by: its snapshot, or while there is none the one that
   * it names; empty when there is neither, or the snapshot can't be used.
   */
  Optional<RuntimeResource> runtimeOfStored(TrainJob trainJob);

  /** The JobSet that a TrainJob has become. */
  Optional<JobSet> jobSet(TrainJob trainJob);

  /** What the cluster adds to plans. */
  ClusterSettings settings();
}
