package dev.waymark.controller.reconcile;

import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Objects;

/**
 * Which changes of a TrainJob wake its reconciler: all but those of {@code trainerStatus}, which
 * come every few seconds from every training and change nothing that the reconciler does.
 */
final class RelevantChange {

  static boolean accept(TrainJob now, TrainJob before) {
    ObjectMeta newer = now.getMetadata();
    ObjectMeta older = before.getMetadata();
    return !Objects.equals(newer.getUid(), older.getUid())
        || !Objects.equals(newer.getGeneration(), older.getGeneration())
        || !Objects.equals(newer.getDeletionTimestamp(), older.getDeletionTimestamp())
        || !Objects.equals(newer.getLabels(), older.getLabels())
        || !Objects.equals(newer.getAnnotations(), older.getAnnotations())
        || !StatusWrites.sameButTrainerStatus(now.getStatus(), before.getStatus());
  }

  private RelevantChange() {}
}
