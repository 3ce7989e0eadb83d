package dev.waymark.plan;

import dev.waymark.trainer.api.JobSetSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What a TrainJob becomes: the JobSet's parts as values, before they are rendered to objects of a
 * cluster or started as processes.
 *
 * @param name of the TrainJob, and of the JobSet
 * @param namespace of both, or null when the TrainJob says none
 * @param labels of the JobSet
 * @param annotations of the JobSet
 * @param jobSet the JobSet's fields beside its jobs; its {@code replicatedJobs} are null
 * @param podSets the JobSet's jobs, in the order of the runtime's template
 * @param helpers objects beside the JobSet, which its pods mount
 * @param suspend true: make no pods now
 * @param warnings what the TrainJob asks for without effect
 */
public record RuntimePlan(
    String name,
    String namespace,
    Map<String, String> labels,
    Map<String, String> annotations,
    JobSetSpec jobSet,
    List<PodSet> podSets,
    List<HelperObject> helpers,
    boolean suspend,
    List<PlanWarning> warnings) {

  public RuntimePlan {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    podSets = List.copyOf(podSets);
    helpers = List.copyOf(helpers);
    warnings = List.copyOf(warnings);
  }

  /** The pods that train: the first job whose label says so. Empty: the runtime trains nothing. */
  public Optional<PodSet> trainer() {
    return podSets.stream().filter(PodSet::isTrainer).findFirst();
  }

  /** The pods of one replicated job. */
  public Optional<PodSet> podSet(String name) {
    return podSets.stream().filter(podSet -> podSet.name().equals(name)).findFirst();
  }

  /**
   * The host name by which the pods know each other.
   *
   * @param job name of the replicated job
   * @param replica of the job, from 0
   * @param pod index within the replica, from 0
   */
  public String host(String job, int replica, int pod) {
    return name + "-" + job + "-" + replica + "-" + pod + "." + subdomain();
  }

  private String subdomain() {
    String own = jobSet.network() == null ? null : jobSet.network().subdomain();
    return own == null || own.isEmpty() ? name : own;
  }

  /** Changes one job's pods; without one of that name nothing happens. */
  RuntimePlan withPodSet(String name, UnaryOperator<PodSet> change) {
    return withPodSets(podSet -> podSet.name().equals(name) ? change.apply(podSet) : podSet);
  }

  RuntimePlan withPodSets(UnaryOperator<PodSet> change) {
    return with(podSets.stream().map(change).toList(), helpers, warnings);
  }

  RuntimePlan withHelper(HelperObject helper) {
    return with(podSets, and(helpers, helper), warnings);
  }

  RuntimePlan withWarning(PlanWarning.Reason reason, String message) {
    return with(podSets, helpers, and(warnings, new PlanWarning(reason, message)));
  }

  private RuntimePlan with(
      List<PodSet> podSets, List<HelperObject> helpers, List<PlanWarning> warnings) {
    return new RuntimePlan(
        name, namespace, labels, annotations, jobSet, podSets, helpers, suspend, warnings);
  }

  private static <T> List<T> and(List<T> some, T another) {
    List<T> all = new ArrayList<>(some);
    all.add(another);
    return all;
  }
}
