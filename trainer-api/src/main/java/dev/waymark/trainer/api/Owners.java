package dev.waymark.trainer.api;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Optional;

/** Who controls an object. */
public final class Owners {

  /** The one owner that controls an object. */
  public static Optional<OwnerReference> controller(HasMetadata object) {
    List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
    return owners == null
        ? Optional.empty()
        : owners.stream().filter(owner -> Boolean.TRUE.equals(owner.getController())).findFirst();
  }

  /** Whether it is a TrainJob of any version. */
  public static boolean isTrainJob(OwnerReference owner) {
    return "TrainJob".equals(owner.getKind())
        && owner.getApiVersion() != null
        && owner.getApiVersion().startsWith(TrainerApi.GROUP + "/");
  }

  private Owners() {}
}
