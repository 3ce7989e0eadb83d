package dev.waymark.trainer.api;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A runtime for the TrainJobs of every namespace. */
@Group(TrainerApi.GROUP)
@Version(TrainerApi.VERSION)
public final class ClusterTrainingRuntime extends RuntimeResource {

  private static final long serialVersionUID = 1L;
}
