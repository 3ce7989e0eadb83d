package dev.waymark.controller.reconcile;

import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.controller.reconcile.RuntimeSource.UnsupportedRuntimeException;
import dev.waymark.plan.Observation;
import dev.waymark.plan.PlanRefusedException;
import dev.waymark.plan.Refusal;
import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainerJson;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one TrainJob forward: its objects are made and kept as they should be, and its status says
 * what became of them. Looks at what is, never at what happened, so it may be called at any time
 * and any number of times; when all is as it should be it writes nothing. One TrainJob is
 * reconciled by one thread at a time.
 */
final class TrainJobReconciler implements Reconciler<TrainJob> {

  private static final Logger log = LoggerFactory.getLogger(TrainJobReconciler.class);

  /** What the planner refuses as a whole, by the field: a policy that this version doesn't run. */
  private static final Pattern POLICY =
      Pattern.compile("spec\\.((mlPolicy|podGroupPolicy)\\.[^.]+|trainer\\.command)");

  private static final Duration LEAST_WAIT = Duration.ofSeconds(1);

  private final Caches caches;
  private final TrainJobObjects objects;
  private final TrainJobEvents events;
  private final Writes writes;
  private final TrainJobObserver observer;
  private final Clock clock;

  TrainJobReconciler(
      Caches caches,
      TrainJobObjects objects,
      TrainJobEvents events,
      Writes writes,
      TrainJobObserver observer,
      Clock clock) {
    this.caches = caches;
    this.objects = objects;
    this.events = events;
    this.writes = writes;
    this.observer = observer;
    this.clock = clock;
  }

  @Override
  public List<EventSource<?, TrainJob>> prepareEventSources(EventSourceContext<TrainJob> context) {
    return caches.eventSources(context);
  }

  @Override
  public UpdateControl<TrainJob> reconcile(TrainJob trainJob, Context<TrainJob> context) {
    if (context.isPrimaryResourceDeleted()) {
      objects.forget(trainJob);
      observer.deleted(trainJob);
      return UpdateControl.noUpdate();
    }
    observer.seen(trainJob);
    if (trainJob.isMarkedForDeletion() || !TrainJobs.isOurs(trainJob)) {
      return UpdateControl.noUpdate();
    }
    List<FieldProblem> unreadable = trainJob.problems();
    if (!unreadable.isEmpty()) {
      events.warn(trainJob, TrainJobEvents.CREATION_FAILED, tell(unreadable));
      return UpdateControl.noUpdate();
    }
    Instant now = clock.instant();
    if (Observation.isFinished(trainJob)) {
      objects.forget(trainJob);
      return observe(trainJob, context, now);
    }
    try {
      objects.ensure(trainJob);
    } catch (RuntimeException e) {
      if (isUnsupported(e)) {
        events.creationFailed(trainJob, e);
        writeStatus(
            trainJob,
            Observation.failed(trainJob, Observation.RUNTIME_NOT_SUPPORTED, e.getMessage(), now),
            context);
        return UpdateControl.noUpdate();
      }
      log.warn(
          "TrainJob {}/{}: {}",
          trainJob.getMetadata().getNamespace(),
          trainJob.name(),
          e.getMessage());
      events.creationFailed(trainJob, e);
      // What became of the objects that are there counts all the same.
      observe(trainJob, context, now);
      throw e;
    }
    return observe(trainJob, context, now);
  }

  /** Whether no later try of this version can succeed: a kind or a policy that it doesn't run. */
  private static boolean isUnsupported(RuntimeException failure) {
    return failure instanceof UnsupportedRuntimeException
        || (failure instanceof PlanRefusedException refused
            && refused.refusals().stream()
                .map(Refusal::field)
                .anyMatch(field -> POLICY.matcher(field).matches()));
  }

  /** Says what became of the TrainJob, and ends what is over. */
  private UpdateControl<TrainJob> observe(
      TrainJob trainJob, Context<TrainJob> context, Instant now) {
    JobSet jobSet = caches.jobSet(trainJob).filter(it -> Owners.owns(trainJob, it)).orElse(null);
    Observation observation = Observation.of(trainJob, jobSet, now);
    if (!sameButTrainerStatus(observation.status(), trainJob.getStatus())
        && !isEmpty(observation.status())) {
      writeStatus(trainJob, observation.status(), context);
    }
    if (observation.deleteJobSet()) {
      deleteJobSet(jobSet);
    }
    UpdateControl<TrainJob> done = UpdateControl.noUpdate();
    observation
        .deadline()
        .map(deadline -> Duration.between(now, deadline))
        .map(wait -> wait.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : wait)
        .ifPresent(done::rescheduleAfter);
    return done;
  }

  private static String tell(List<FieldProblem> unreadable) {
    return unreadable.stream()
        .map(FieldProblem::toString)
        .collect(Collectors.joining("; ", "TrainJob can't be read: ", ""));
  }

  /** The training's own report is not the reconciler's to write, nor a reason to. */
  static boolean sameButTrainerStatus(TrainJobStatus one, TrainJobStatus other) {
    return Objects.equals(parts(one), parts(other));
  }

  /** The API server takes no status without anything in it; what was there before then stays. */
  private static boolean isEmpty(TrainJobStatus status) {
    return status == null
        || (status.conditions() == null
            && status.jobsStatus() == null
            && status.trainerStatus() == null);
  }

  private static List<Object> parts(TrainJobStatus status) {
    return status == null
        ? List.of(List.of(), List.of())
        : List.of(
            status.conditions() == null ? List.of() : status.conditions(),
            status.jobsStatus() == null ? List.of() : status.jobsStatus());
  }

  /**
   * Writes what changed. The next reconcile sees it at once, and the watch's word about it wakes
   * nobody.
   */
  private void writeStatus(TrainJob trainJob, TrainJobStatus status, Context<TrainJob> context) {
    Map<String, Object> all = TrainerJson.toMap(status);
    Map<String, Object> changed = new LinkedHashMap<>();
    for (String field : List.of("conditions", "jobsStatus")) {
      // One that is gone is null, which takes it away.
      changed.put(field, all.get(field));
    }
    ResourcePath path =
        ResourcePath.of(
                TrainerApi.API_VERSION,
                "trainjobs",
                trainJob.getMetadata().getNamespace(),
                trainJob.name())
            .status();
    context
        .eventSourceRetriever()
        .getControllerEventSource()
        .eventFilteringUpdateAndCacheResource(
            trainJob,
            before ->
                writes.merge("trainjobs/status", path, Map.of("status", changed), TrainJob.class));
    TrainJob after = new TrainJob();
    after.setStatus(status);
    if (!Observation.isFinished(trainJob) && Observation.isFinished(after)) {
      observer.finished(trainJob, status);
    }
  }

  /** Again and again until it is gone: a training must not outlive its deadline unseen. */
  private void deleteJobSet(JobSet jobSet) {
    if (jobSet.getMetadata().getDeletionTimestamp() != null) {
      return;
    }
    writes.delete(
        "jobsets",
        ResourcePath.of(
            jobSet.getApiVersion(), "jobsets", jobSet.getMetadata().getNamespace(), jobSet.name()),
        jobSet.getMetadata().getUid());
  }
}
