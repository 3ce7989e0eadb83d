package dev.waymark.controller.reconcile;

import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.controller.reconcile.RuntimeSource.UnsupportedRuntimeException;
import dev.waymark.controller.reconcile.TrainJobObjects.KeptAsStoredException;
import dev.waymark.plan.Observation;
import dev.waymark.plan.PlanRefusedException;
import dev.waymark.plan.PlanWarning;
import dev.waymark.plan.Refusal;
import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
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

  private final Caches caches;
  private final Courtesy courtesy;
  private final TrainJobObjects objects;
  private final TrainJobEvents events;
  private final Writes writes;
  private final StatusWrites statuses;
  private final Deadlines deadlines;
  private final TrainJobObserver observer;
  private final Clock clock;

  TrainJobReconciler(
      Caches caches,
      Courtesy courtesy,
      TrainJobObjects objects,
      TrainJobEvents events,
      Writes writes,
      TrainJobObserver observer,
      Clock clock) {
    this.caches = caches;
    this.courtesy = courtesy;
    this.objects = objects;
    this.events = events;
    this.writes = writes;
    statuses = new StatusWrites(writes, observer);
    deadlines = new Deadlines(caches::reconcile);
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
      deadlines.forget(trainJob);
      observer.deleted(trainJob);
      return UpdateControl.noUpdate();
    }
    observer.seen(trainJob);
    if (!trainJob.isMarkedForDeletion() && isOurs(trainJob) && !hasToWait(trainJob)) {
      reconcileOurs(trainJob, context);
    }
    return UpdateControl.noUpdate();
  }

  /** As new ones have to, now and then; they are reconciled again. */
  private boolean hasToWait(TrainJob trainJob) {
    boolean isNew = !Observation.isFinished(trainJob) && caches.jobSet(trainJob).isEmpty();
    return isNew && courtesy.mustWait(ResourceID.fromResource(trainJob));
  }

  private void reconcileOurs(TrainJob trainJob, Context<TrainJob> context) {
    List<FieldProblem> unreadable = trainJob.problems();
    if (!unreadable.isEmpty()) {
      events.warn(trainJob, TrainJobEvents.CREATION_FAILED, tell(unreadable));
      return;
    }
    Instant now = clock.instant();
    if (Observation.isFinished(trainJob)) {
      objects.forget(trainJob);
      observe(trainJob, context, now);
    } else {
      bringForward(trainJob, context, now);
    }
  }

  private void bringForward(TrainJob trainJob, Context<TrainJob> context, Instant now) {
    try {
      tell(trainJob, objects.ensure(trainJob));
    } catch (RuntimeException e) {
      log.warn(
          "TrainJob {}/{}: {}",
          trainJob.getMetadata().getNamespace(),
          trainJob.name(),
          e.getMessage());
      events.creationFailed(trainJob, e);
      if (isUnsupported(e)) {
        statuses.write(
            trainJob,
            it -> Observation.failed(it, Observation.RUNTIME_NOT_SUPPORTED, e.getMessage(), now),
            context);
        return;
      }
      // What became of the objects that are there counts all the same.
      observe(trainJob, context, now);
      if (e instanceof KeptAsStoredException && isUnsupported(e.getCause())) {
        return;
      }
      throw e;
    }
    observe(trainJob, context, now);
  }

  /** Whether this controller does its work; another one may have taken it over. */
  private static boolean isOurs(TrainJob trainJob) {
    String manager = trainJob.getSpec() == null ? null : trainJob.getSpec().managedBy();
    return manager == null || manager.equals(TrainerApi.MANAGED_BY_CONTROLLER);
  }

  /** Whether no later try of this version can succeed: a kind or a policy that it doesn't run. */
  private static boolean isUnsupported(Throwable failure) {
    return failure instanceof UnsupportedRuntimeException
        || (failure instanceof PlanRefusedException refused
            && refused.refusals().stream()
                .map(Refusal::field)
                .anyMatch(field -> POLICY.matcher(field).matches()));
  }

  /** Says what became of the TrainJob, and ends what is over. */
  private void observe(TrainJob trainJob, Context<TrainJob> context, Instant now) {
    JobSet jobSet = caches.jobSet(trainJob).filter(trainJob::owns).orElse(null);
    Observation observation = Observation.of(trainJob, jobSet, now);
    // First, because it must come even if nothing can be written now.
    deadlines.set(trainJob, observation.deadline(), now);
    statuses.write(trainJob, it -> Observation.of(it, jobSet, now).status(), context);
    if (observation.deleteJobSet()) {
      deleteJobSet(jobSet);
    }
  }

  /** Upstream says nothing of a trainer that no job has; nor does this. */
  private void tell(TrainJob trainJob, List<PlanWarning> warnings) {
    warnings.stream()
        .filter(warning -> warning.reason() == PlanWarning.Reason.AGENT_NOT_INJECTED)
        .forEach(
            warning -> events.warn(trainJob, TrainJobEvents.AGENT_NOT_INJECTED, warning.message()));
  }

  private static String tell(List<FieldProblem> unreadable) {
    return unreadable.stream()
        .map(FieldProblem::toString)
        .collect(Collectors.joining("; ", "TrainJob can't be read: ", ""));
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
