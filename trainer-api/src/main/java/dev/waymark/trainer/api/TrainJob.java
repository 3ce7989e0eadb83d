package dev.waymark.trainer.api;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** One training: which runtime it uses, what it changes there, and what became of it. */
@Group(TrainerApi.GROUP)
@Version(TrainerApi.VERSION)
public final class TrainJob extends TrainerResource<TrainJobSpec, TrainJobStatus>
    implements Namespaced {

  private static final long serialVersionUID = 1L;

  public TrainJob() {
    super(TrainJobSpec.class, TrainJobStatus.class);
  }
}
