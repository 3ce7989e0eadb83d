package dev.waymark.plan;

import dev.waymark.trainer.api.JobSetSpec;
import dev.waymark.trainer.api.JobSetTemplateSpec;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;

/**
 * Decides what a TrainJob becomes. What says more about the training wins: first the runtime's
 * template, over it the TrainJob's runtimePatches in their order, over them what the ML policy
 * computes, over all {@code spec.trainer}.
 *
 * <p>Pure: no client, no clock, no chance; the same arguments give equal plans. Neither argument is
 * changed; a plan may share with its runtime what it leaves as it is. Safe for every thread.
 */
public final class Planner {

  /** In the order in which they edit a plan. A new ML policy is a class and a line here. */
  static final List<PlanPlugin> PLUGINS =
      List.of(
          new PlainMlPlugin(),
          new TorchPlugin(),
          new MpiPlugin(),
          new JaxPlugin(),
          new XGBoostPlugin(),
          new ProgressPlugin(),
          new TrainJobOverrides(),
          new AgentPlugin());

  /**
   * Plans a TrainJob that nobody has checked yet.
   *
   * @param runtime the one that the TrainJob names; {@link RuntimeLookup} finds it
   * @throws PlanRefusedException with all that is wrong with either, if anything is
   */
  public static RuntimePlan plan(TrainJob job, RuntimeResource runtime) {
    return plan(new PlanRequest(job, runtime));
  }

  /**
   * The same for any cluster.
   *
   * @throws PlanRefusedException with all that is wrong with either, if anything is
   */
  static RuntimePlan plan(PlanRequest request) {
    refuseIfAny(TrainJobValidator.check(request));
    RuntimePlan template = unplanned(request);
    refuseIfAny(TrainJobValidator.ofPlugins(request, template, /* atAdmission= */ true));
    return planned(request, template);
  }

  /**
   * Plans a TrainJob that a cluster has admitted. One that came past the admission webhooks is
   * planned too, as long as a plan can be made of it.
   *
   * @param runtime the one that the TrainJob names, or its snapshot
   * @throws PlanRefusedException with why no plan can be made
   */
  public static RuntimePlan planAdmitted(
      TrainJob job, RuntimeResource runtime, ClusterSettings settings) {
    PlanRequest request = new PlanRequest(job, runtime, settings);
    refuseIfAny(TrainJobValidator.obstacles(request));
    RuntimePlan template = unplanned(request);
    refuseIfAny(TrainJobValidator.ofPlugins(request, template, /* atAdmission= */ false));
    return planned(request, template);
  }

  /** Throws {@link PlanRefusedException} for what shows only in the whole plan. */
  private static RuntimePlan planned(PlanRequest request, RuntimePlan template) {
    RuntimePlan plan = template;
    for (PlanPlugin plugin : plugins(request)) {
      plan = plugin.apply(request, plan);
    }
    plan = plan.withPodSets(PodSet::withCountInTemplate);
    refuseIfAny(PodNames.check(request, plan));
    return warned(request, plan);
  }

  /** The plugins that have a part in a plan, in their order. */
  static List<PlanPlugin> plugins(PlanRequest request) {
    return PLUGINS.stream().filter(plugin -> plugin.handles(request)).toList();
  }

  /**
   * The patched template as pod sets, with the runtime's counts and the merged resources; of
   * patches that have been checked.
   */
  static RuntimePlan unplanned(PlanRequest request) {
    JobSetTemplateSpec template = RuntimePatches.apply(request);
    JobSetSpec jobSet = template.spec();
    ObjectMeta metadata = template.metadata();
    return new RuntimePlan(
        request.job().name(),
        request.job().getMetadata().getNamespace(),
        metadata.getLabels(),
        metadata.getAnnotations(),
        jobSet.with(null, jobSet.suspend()),
        jobSet.replicatedJobs().stream()
            .map(job -> new PodSet(job, NodeCount.ofRuntime(job, request.policy())))
            .map(Planner::once)
            .map(podSet -> withResources(request, podSet))
            .toList(),
        List.of(),
        Boolean.TRUE.equals(request.job().getSpec().suspend()),
        List.of());
  }

  /**
   * A step has one job; a runtime that its webhook didn't see may say another number. Of any other
   * job 0 is the same as nothing, as in JobSet's Go type, of which the API server then makes 1.
   */
  private static PodSet once(PodSet podSet) {
    return RuntimeRules.isStep(podSet) || podSet.replicas() == 0 ? podSet.withReplicas(1) : podSet;
  }

  /** Upstream v2.3 ignores resourcesPerNode when the runtime has no ML policy. */
  private static PodSet withResources(PlanRequest request, PodSet podSet) {
    if (request.trainer().resourcesPerNode() == null || !trains(request, podSet)) {
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

  /**
   * Whether a job's pods are nodes. Under MPI those of the job {@code node} are, and a launcher is
   * only if it trains too; upstream v2.3 gives the resources to a labelled launcher alone
   * (kubeflow/trainer#2650).
   */
  static boolean trains(PlanRequest request, PodSet podSet) {
    boolean mpi = request.policy() != null && request.policy().mpi() != null;
    if (!mpi) {
      return podSet.isTrainer();
    }
    return podSet.name().equals(TrainerApi.NODE)
        || (podSet.isTrainer()
            && (MpiPlugin.launcherIsNode(request) || !MpiPlugin.isLauncher(podSet.name())));
  }

  private static RuntimePlan warned(PlanRequest request, RuntimePlan plan) {
    if (plan.trainer().isEmpty() && request.job().getSpec().trainer() != null) {
      return plan.withWarning(
          PlanWarning.Reason.NO_TRAINER_JOB,
          "spec.trainer has no effect: no job of "
              + request.runtime().title()
              + " has the label "
              + TrainerApi.ANCESTOR_LABEL
              + ": "
              + TrainerApi.ANCESTOR_TRAINER);
    }
    return plan;
  }

  private static void refuseIfAny(List<Refusal> refusals) {
    if (!refusals.isEmpty()) {
      throw new PlanRefusedException(refusals);
    }
  }

  private Planner() {}
}
