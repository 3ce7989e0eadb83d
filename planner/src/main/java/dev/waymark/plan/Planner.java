package dev.waymark.plan;

import dev.waymark.trainer.api.JobSetSpec;
import dev.waymark.trainer.api.JobSetTemplateSpec;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides what a TrainJob becomes. What says more about the training wins: first the runtime's
 * template, over it the TrainJob's runtimePatches in their order, over them what the ML policy
 * computes, over all {@code spec.trainer}.
 *
 * <p>Pure: no client, no clock, no chance; the same arguments give equal plans. Neither argument is
 * changed or shared. Safe for every thread.
 */
public final class Planner {

  /** In the order in which they edit a plan. A new ML policy is a class and a line here. */
  private static final List<MlPlugin> PLUGINS = List.of(new PlainMlPlugin(), new TorchPlugin());

  /**
   * Plans a TrainJob.
   *
   * @param runtime the one that the TrainJob names; {@link RuntimeLookup} finds it
   * @throws PlanRefusedException with all that is wrong with either, if anything is
   */
  public static RuntimePlan plan(TrainJob job, RuntimeResource runtime) {
    PlanRequest request = new PlanRequest(job, runtime);
    refuseIfAny(Stream.of(TrainJobRules.check(request), RuntimeRules.check(request)));
    refuseIfAny(Stream.of(PatchRules.check(request)));

    RuntimePlan merged = unplanned(request, RuntimePatches.apply(request));
    List<MlPlugin> plugins =
        PLUGINS.stream().filter(plugin -> plugin.handles(request.policy())).toList();
    refuseIfAny(
        Stream.concat(
            Stream.of(InitializerRules.check(request, merged)),
            plugins.stream().map(plugin -> plugin.validate(request, merged))));

    RuntimePlan plan = merged;
    for (MlPlugin plugin : plugins) {
      plan = plugin.apply(request, plan);
    }
    plan = TrainJobOverrides.apply(request, plan).withPodSets(PodSet::withCountInTemplate);
    refuseIfAny(Stream.of(PodNames.check(request, plan)));
    return warned(request, plan);
  }

  /** The patched template as pod sets, with the runtime's counts and the merged resources. */
  private static RuntimePlan unplanned(PlanRequest request, JobSetTemplateSpec template) {
    JobSetSpec jobSet = template.spec();
    ObjectMeta metadata = template.metadata();
    return new RuntimePlan(
        request.job().name(),
        request.job().getMetadata().getNamespace(),
        metadata.getLabels(),
        metadata.getAnnotations(),
        new JobSetSpec(null, jobSet.network(), jobSet.suspend(), jobSet.additionalProperties()),
        jobSet.replicatedJobs().stream()
            .map(job -> new PodSet(job, NodeCount.ofRuntime(job, request.policy())))
            .map(podSet -> withResources(request, podSet))
            .toList(),
        Boolean.TRUE.equals(request.job().getSpec().suspend()),
        List.of());
  }

  /** Upstream v2.3 ignores resourcesPerNode when the runtime has no ML policy. */
  private static PodSet withResources(PlanRequest request, PodSet podSet) {
    if (!podSet.isTrainer() || request.trainer().resourcesPerNode() == null) {
      return podSet;
    }
    return podSet.withContainer(
        TrainerApi.NODE,
        node ->
            new ContainerBuilder(node)
                .withResources(
                    NodeResources.merge(node.getResources(), request.trainer().resourcesPerNode()))
                .build());
  }

  private static RuntimePlan warned(PlanRequest request, RuntimePlan plan) {
    if (plan.trainer().isEmpty() && request.job().getSpec().trainer() != null) {
      return plan.withWarning(
          "spec.trainer has no effect: no job of "
              + request.runtime().title()
              + " has the label "
              + TrainerApi.ANCESTOR_LABEL
              + ": "
              + TrainerApi.ANCESTOR_TRAINER);
    }
    return plan;
  }

  private static void refuseIfAny(Stream<List<Refusal>> checked) {
    List<Refusal> refusals = checked.flatMap(List::stream).toList();
    if (!refusals.isEmpty()) {
      throw new PlanRefusedException(refusals);
    }
  }

  private Planner() {}
}
