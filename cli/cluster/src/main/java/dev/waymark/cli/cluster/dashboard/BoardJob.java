package dev.waymark.cli.cluster.dashboard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.client.Step;
import dev.waymark.client.Training;
import dev.waymark.trainer.api.TrainerStatus;
import java.time.Instant;
import java.util.List;

/**
 * What the board keeps of a TrainJob: what a page may ask for, and nothing else of the object, so
 * that there is room for thousands.
 *
 * @param uid tells it from one that was made anew under its name
 * @param isFinal whether it has ended
 * @param created the beginning of time where the cluster hasn't said
 * @param row as pages get it; nobody changes it
 * @param status what its program has reported last, or null
 * @param steps its pods
 */
record BoardJob(
    String namespace,
    String name,
    String uid,
    boolean isFinal,
    Instant created,
    ObjectNode row,
    TrainerStatus status,
    List<Step> steps) {

  static BoardJob of(Training training) {
    return new BoardJob(
        training.namespace(),
        training.name(),
        String.valueOf(training.resource().getMetadata().getUid()),
        training.state().isFinal(),
        training.created().orElse(Instant.EPOCH),
        JobJson.row(training),
        training.trainerStatus().orElse(null),
        training.steps());
  }

  /** Namespace and name. */
  String id() {
    return JobJson.id(namespace, name);
  }
}
