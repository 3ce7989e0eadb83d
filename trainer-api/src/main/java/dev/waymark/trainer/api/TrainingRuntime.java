package dev.waymark.trainer.api;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A runtime for the TrainJobs of its own namespace. */
@Group(TrainerApi.GROUP)
@Version(TrainerApi.VERSION)
public final class TrainingRuntime extends RuntimeResource implements Namespaced {

  private static final long serialVersionUID = 1L;
}
