package dev.waymark.plan;

import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is wrong with a TrainJob before it becomes anything: what the CRD refuses and what the
 * admission webhook refuses. Names in patches are looked up in the runtime as it is, unmerged.
 */
public final class TrainJobValidator {

  /**
   * Checks a new TrainJob.
   *
   * @param runtime the one that it names, or null if there is none
   * @return all that is wrong, in the TrainJob's own fields; empty for one that can be planned
   */
  public static List<Refusal> create(
      TrainJob job, RuntimeResource runtime, ClusterSettings settings) {
    List<Refusal> refusals = new ArrayList<>(TrainJobRules.checkFields(job));
    if (job.getSpec() == null || job.getSpec().runtimeRef() == null) {
      return refusals;
    }
    if (runtime == null) {
      refusals.add(RuntimeLookup.absent(job));
      return refusals;
    }
    admit(new PlanRequest(job, runtime, settings)).stream()
        .filter(refusal -> !refusals.contains(refusal))
        .map(refusal -> asTrainJobs(job, refusal))
        .forEach(refusals::add);
    return refusals;
  }

  /**
   * Checks a TrainJob for whoever is about to submit it to a cluster that he doesn't know: what
   * every controller of this API refuses, and nothing that only this version can't run.
   *
   * @param runtime the one that it names, as the cluster has it
   * @return all that is wrong with the TrainJob; empty for one that can be submitted
   */
  public static List<Refusal> submission(TrainJob job, RuntimeResource runtime) {
    PlanRequest request = new PlanRequest(job, runtime);
    List<Refusal> refusals = new ArrayList<>(TrainJobRules.check(request));
    if (job.getSpec() == null || job.getSpec().runtimeRef() == null) {
      return refusals;
    }
    refusals.addAll(RuntimeRules.obstacles(runtime));
    if (refusals.isEmpty()) {
      refusals.addAll(PatchRules.check(request));
    }
    if (refusals.isEmpty()) {
      RuntimePlan plan = Planner.unplanned(request);
      Planner.plugins(request).forEach(plugin -> refusals.addAll(plugin.validate(request, plan)));
    }
    return refusals.stream().map(refusal -> asTrainJobs(job, refusal)).toList();
  }

  /**
   * Checks a change of a TrainJob.
   *
   * @param runtime the TrainJob's snapshot, so that edits of its runtime block nothing; the live
   *     runtime if there is none; or null
   * @param stored the TrainJob's own JobSet, or null if there is none
   * @return all that is wrong; empty for a change that can be carried out
   */
  public static List<Refusal> update(
      TrainJob old,
      TrainJob job,
      RuntimeResource runtime,
      JobSet stored,
      ClusterSettings settings) {
    return TrainJobUpdate.check(old, job, runtime, stored, settings);
  }

  /**
   * What to tell whoever creates or changes a TrainJob, though upstream takes it: nodes that
   * request more than their limit, of which the one that is too much may be the runtime's.
   * Kubernetes refuses such pods when it is to make them, and nobody hears of it who looks at the
   * TrainJob.
   *
   * @param job one that is not refused
   * @return sentences for people
   */
  public static List<String> warnings(TrainJob job, RuntimeResource runtime) {
    PlanRequest request = new PlanRequest(job, runtime);
    if (request.trainer().resourcesPerNode() == null) {
      return List.of();
    }
    return Planner.unplanned(request).podSets().stream()
        .filter(podSet -> Planner.trains(request, podSet))
        .map(podSet -> NodeResources.of(Optional.of(podSet)))
        .flatMap(resources -> NodeResources.requestsAboveLimits(resources).stream())
        .distinct()
        .map(
            above ->
                "spec.trainer.resourcesPerNode: "
                    + above
                    + ", together with those of the runtime: Kubernetes makes no such pod, so say"
                    + " both")
        .toList();
  }

  /** All that is wrong with a TrainJob, and with what it would become. */
  private static List<Refusal> admit(PlanRequest request) {
    try {
      Planner.plan(request);
      return List.of();
    } catch (PlanRefusedException e) {
      return e.refusals();
    }
  }

  /**
   * What is wrong with a TrainJob and its runtime before anything is planned; a later kind only
   * where earlier ones pass.
   */
  static List<Refusal> check(PlanRequest request) {
    List<Refusal> refusals = new ArrayList<>(TrainJobRules.check(request));
    refusals.addAll(
        request.settings() == null
            ? RuntimeRules.check(request.runtime())
            // A label on a stored one can switch its own webhook off, and upstream's for TrainJobs
            // doesn't make up for it.
            : RuntimeRules.obstacles(request.runtime()));
    if (request.runtime().getSpec() != null) {
      refusals.addAll(PolicyRules.check(request.runtime()));
      refusals.addAll(PolicyRules.unsupported(request.runtime()));
      Planner.PLUGINS.forEach(plugin -> refusals.addAll(plugin.checkRuntime(request.runtime())));
    }
    if (refusals.isEmpty()) {
      refusals.addAll(PatchRules.check(request));
    }
    return refusals;
  }

  /** What no plan can be begun with, whoever let the TrainJob in. */
  static List<Refusal> obstacles(PlanRequest request) {
    List<Refusal> refusals = new ArrayList<>(TrainJobRules.obstacles(request.job()));
    refusals.addAll(RuntimeRules.obstacles(request.runtime()));
    if (refusals.isEmpty()) {
      refusals.addAll(PolicyRules.unsupported(request.runtime()));
      refusals.addAll(PatchRules.unknownNames(request));
    }
    return refusals;
  }

  /**
   * What the plugins can't make a plan of.
   *
   * @param template the patched template, before any plugin
   * @param atAdmission with what they refuse although they could
   */
  static List<Refusal> ofPlugins(PlanRequest request, RuntimePlan template, boolean atAdmission) {
    List<Refusal> refusals = new ArrayList<>();
    for (PlanPlugin plugin : Planner.plugins(request)) {
      if (atAdmission) {
        refusals.addAll(plugin.validate(request, template));
      }
      refusals.addAll(plugin.obstacles(request, template));
    }
    return refusals;
  }

  /** In a TrainJob's admission, what is wrong with its runtime is wrong with its choice. */
  private static Refusal asTrainJobs(TrainJob job, Refusal refusal) {
    return refusal.resource().equals(job.title())
        ? refusal
        : new Refusal(job.title(), Refusal.Kind.FORBIDDEN, "spec.runtimeRef", refusal.toString());
  }

  private TrainJobValidator() {}
}
