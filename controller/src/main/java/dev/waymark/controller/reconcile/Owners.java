package dev.waymark.controller.reconcile;

import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.List;
import java.util.Optional;

/** Who owns an object: what the garbage collector and the checks of ownership go by. */
final class Owners {

  /** The reference that makes an object a TrainJob's own. */
  static OwnerReference reference(TrainJob trainJob) {
    return new OwnerReferenceBuilder()
        .withApiVersion(TrainerApi.API_VERSION)
        .withKind("TrainJob")
        .withName(trainJob.name())
        .withUid(trainJob.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .build();
  }

  /** The one owner that controls an object. */
  static Optional<OwnerReference> controller(HasMetadata object) {
    List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
    return owners == null
        ? Optional.empty()
        : owners.stream().filter(owner -> Boolean.TRUE.equals(owner.getController())).findFirst();
  }

  static boolean isTrainJob(OwnerReference owner) {
    return "TrainJob".equals(owner.getKind())
        && owner.getApiVersion() != null
        && owner.getApiVersion().startsWith(TrainerApi.GROUP + "/");
  }

  /** Whether an object is this TrainJob's, and not that of an earlier one of the same name. */
  static boolean owns(TrainJob trainJob, HasMetadata object) {
    return controller(object)
        .map(OwnerReference::getUid)
        .filter(trainJob.getMetadata().getUid()::equals)
        .isPresent();
  }

  private Owners() {}
}
