package dev.waymark.trainer.api;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Objects;

/** One training: which runtime it uses, what it changes there, and what became of it. */
@Group(TrainerApi.GROUP)
@Version(TrainerApi.VERSION)
public final class TrainJob extends TrainerResource<TrainJobSpec> implements Namespaced {

  private static final long serialVersionUID = 1L;

  private TrainJobStatus status;

  /** Null until a controller has seen the TrainJob. */
  public TrainJobStatus getStatus() {
    return status;
  }

  public void setStatus(TrainJobStatus status) {
    this.status = status;
  }

  @Override
  public boolean equals(Object other) {
    return super.equals(other) && Objects.equals(status, ((TrainJob) other).status);
  }

  @Override
  public int hashCode() {
    return 31 * super.hashCode() + Objects.hashCode(status);
  }
}
