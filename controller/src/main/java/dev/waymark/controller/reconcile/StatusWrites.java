package dev.waymark.controller.reconcile;

import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.plan.Observation;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainerJson;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes what became of TrainJobs: conditions and counts, never the training's own report. A status
 * is written only over the TrainJob that it was made for, so that it can't undo what somebody else
 * (another replica that led until a moment ago, or a user) has written since. Safe for every
 * thread.
 */
final class StatusWrites {

  /** Reports of the training itself come in between, about one a second. */
  private static final int MOST_TRIES = 5;

  private final Writes writes;
  private final TrainJobObserver observer;

  StatusWrites(Writes writes, TrainJobObserver observer) {
    this.writes = writes;
    this.observer = observer;
  }

  /**
   * Brings the status of a TrainJob to where it should be, if it isn't there. The next reconcile
   * sees it at once, and the watch's word about it wakes nobody.
   *
   * @param trainJob as it was last seen
   * @param next makes the status of a TrainJob as it is; asked again if that has changed
   */
  void write(
      TrainJob trainJob, Function<TrainJob, TrainJobStatus> next, Context<TrainJob> context) {
    TrainJob current = trainJob;
    for (int tries = 1; ; tries++) {
      TrainJobStatus status = next.apply(current);
      if (isEmpty(status) || sameButTrainerStatus(status, current.getStatus())) {
        return;
      }
      try {
        write(current, status, context);
        tellIfFinished(current, status);
        return;
      } catch (ApiServerException e) {
        if (!e.isConflict() || tries == MOST_TRIES) {
          throw e;
        }
      }
      Optional<TrainJob> live = writes.find(path(trainJob), TrainJob.class);
      if (live.filter(it -> isSame(it, trainJob)).isEmpty()) {
        return;
      }
      current = live.get();
    }
  }

  private void write(TrainJob over, TrainJobStatus status, Context<TrainJob> context) {
    Map<String, Object> all = TrainerJson.toMap(status);
    Map<String, Object> changed = new LinkedHashMap<>();
    for (String field : List.of("conditions", "jobsStatus")) {
      // One that is gone is null, which takes it away.
      changed.put(field, all.get(field));
    }
    Map<String, Object> fields =
        Map.of(
            "metadata",
            Map.of("resourceVersion", over.getMetadata().getResourceVersion()),
            "status",
            changed);
    context
        .eventSourceRetriever()
        .getControllerEventSource()
        .eventFilteringUpdateAndCacheResource(
            over,
            before ->
                writes.merge("trainjobs/status", path(over).status(), fields, TrainJob.class));
  }

  private void tellIfFinished(TrainJob before, TrainJobStatus status) {
    TrainJob after = new TrainJob();
    after.setStatus(status);
    if (!Observation.isFinished(before) && Observation.isFinished(after)) {
      observer.finished(before, status);
    }
  }

  private static boolean isSame(TrainJob one, TrainJob other) {
    return Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid());
  }

  private static ResourcePath path(TrainJob trainJob) {
    return ResourcePath.of(
        TrainerApi.API_VERSION,
        "trainjobs",
        trainJob.getMetadata().getNamespace(),
        trainJob.name());
  }

  /** The training's own report is not the reconciler's to write, nor a reason to. */
  static boolean sameButTrainerStatus(TrainJobStatus one, TrainJobStatus other) {
    return Objects.equals(parts(one), parts(other));
  }

  private static List<Object> parts(TrainJobStatus status) {
    return status == null
        ? List.of(List.of(), List.of())
        : List.of(
            status.conditions() == null ? List.of() : status.conditions(),
            status.jobsStatus() == null ? List.of() : status.jobsStatus());
  }

  /** The API server takes no status without anything in it; what was there before then stays. */
  private static boolean isEmpty(TrainJobStatus status) {
    return status == null
        || (status.conditions() == null
            && status.jobsStatus() == null
            && status.trainerStatus() == null);
  }
}
