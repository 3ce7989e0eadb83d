package dev.waymark.plan;

import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.JobSetStatus.ReplicatedJobStatus;
import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobSpec;
import dev.waymark.trainer.api.TrainerJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What is wrong with a change of a TrainJob. */
final class TrainJobUpdate {

  private static final String PATCHES = "spec.runtimePatches";

  private final TrainJob old;
  private final TrainJob job;
  private final JobSet stored;
  private final List<Refusal> refusals = new ArrayList<>();

  private TrainJobUpdate(TrainJob old, TrainJob job, JobSet stored) {
    this.old = old;
    this.job = job;
    this.stored = stored;
  }

  /**
   * A change of labels or finalizers, and one that only suspends or resumes, is always taken:
   * otherwise nobody could stop or delete a TrainJob that would be refused today.
   */
  static List<Refusal> check(
      TrainJob old,
      TrainJob job,
      RuntimeResource runtime,
      JobSet stored,
      ClusterSettings settings) {
    if (job.getMetadata().getDeletionTimestamp() != null || asksForTheSame(old, job)) {
      return List.of();
    }
    TrainJobUpdate update = new TrainJobUpdate(old, job, stored);
    update.refusals.addAll(ImmutableFields.check(old, job));
    update.refusals.addAll(TrainJobValidator.create(job, runtime, settings));
    if (!withoutTimes(old).equals(withoutTimes(job))) {
      update.checkPatches(runtime, settings);
    }
    return update.refusals;
  }

  private void checkPatches(RuntimeResource runtime, ClusterSettings settings) {
    if (!old.isSuspended() && !job.isSuspended()) {
      forbid(PATCHES, "can change only while the TrainJob is suspended");
    }
    if (stored == null) {
      return;
    }
    if (stored.getStatus() != null && stored.getStatus().replicatedJobsStatus() != null) {
      for (ReplicatedJobStatus status : stored.getStatus().replicatedJobsStatus()) {
        if (status.active() != null && status.active() > 0) {
          forbid(PATCHES, "job " + status.name() + " still has pods: wait until they are gone");
        }
      }
    }
    if (refusals.isEmpty()) {
      unreachable(runtime, settings)
          .ifPresent(
              path ->
                  forbid(
                      PATCHES,
                      path
                          + " can't change any more, because the JobSet exists: only labels,"
                          + " annotations, nodeSelector, tolerations and schedulingGates of pods"
                          + " can"));
    }
  }

  /**
   * The first part of the JobSet that the change would have to reach and can't. Both renderings are
   * of today, so that what another version rendered makes no difference.
   */
  private Optional<String> unreachable(RuntimeResource runtime, ClusterSettings settings) {
    try {
      return difference(
          "spec", fixedPart(old, runtime, settings), fixedPart(job, runtime, settings));
    } catch (PlanRefusedException e) {
      return Optional.empty(); // the old one could not be planned: nothing of it was rendered
    }
  }

  private static Map<String, Object> fixedPart(
      TrainJob job, RuntimeResource runtime, ClusterSettings settings) {
    RuntimePlan plan = Planner.planAdmitted(job, runtime, settings);
    return TrainerJson.toMap(StoredJobSet.fixedPart(Renderer.render(plan, job).jobSet().getSpec()));
  }

  private static Optional<String> difference(String path, Object before, Object after) {
    if (Objects.equals(before, after)) {
      return Optional.empty();
    } else if (before instanceof Map<?, ?> old && after instanceof Map<?, ?> map) {
      List<Object> names = new ArrayList<>(map.keySet());
      names.addAll(old.keySet());
      return names.stream()
          .map(name -> difference(path + "." + name, old.get(name), map.get(name)))
          .flatMap(Optional::stream)
          .findFirst();
    } else if (before instanceof List<?> old
        && after instanceof List<?> items
        && old.size() == items.size()) {
      for (int i = 0; i < items.size(); i++) {
        Optional<String> found = difference(path + "[" + i + "]", old.get(i), items.get(i));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.of(path);
  }

  private static boolean asksForTheSame(TrainJob old, TrainJob job) {
    return job.getSpec() != null
        && old.getSpec() != null
        && withoutSuspend(old.getSpec()).equals(withoutSuspend(job.getSpec()));
  }

  private static TrainJobSpec withoutSuspend(TrainJobSpec spec) {
    return new TrainJobSpec(
        spec.runtimeRef(),
        spec.initializer(),
        spec.trainer(),
        spec.runtimePatches(),
        null,
        spec.activeDeadlineSeconds(),
        spec.managedBy(),
        spec.additionalProperties());
  }

  private static List<RuntimePatch> withoutTimes(TrainJob job) {
    List<RuntimePatch> patches = job.getSpec() == null ? null : job.getSpec().runtimePatches();
    return patches == null
        ? List.of()
        : patches.stream().map(patch -> PatchTimes.withTime(patch, null)).toList();
  }

  private void forbid(String field, String message) {
    refusals.add(new Refusal(job.title(), Refusal.Kind.FORBIDDEN, field, message));
  }
}
