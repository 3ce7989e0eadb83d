package dev.waymark.plan;

import dev.waymark.trainer.api.JobSetSpec;
import dev.waymark.trainer.api.JobSetTemplateSpec;
import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.PodGroupPolicy;
import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a runtime must be for a plan: its template complete, its policies known. */
final class RuntimeRules {

  /** The container that each step of a TrainJob runs in. */
  private static final Map<String, String> CONTAINER_OF_STEP =
      Map.of(
          TrainerApi.ANCESTOR_TRAINER, TrainerApi.NODE,
          TrainerApi.ANCESTOR_DATASET_INITIALIZER, TrainerApi.ANCESTOR_DATASET_INITIALIZER,
          TrainerApi.ANCESTOR_MODEL_INITIALIZER, TrainerApi.ANCESTOR_MODEL_INITIALIZER);

  private final PlanRequest request;
  private final List<Refusal> refusals = new ArrayList<>();

  private RuntimeRules(PlanRequest request) {
    this.request = request;
  }

  static List<Refusal> check(PlanRequest request) {
    RuntimeRules rules = new RuntimeRules(request);
    if (request.runtime().getSpec() == null) {
      rules.refuse("spec", "is missing");
      return rules.refusals;
    }
    rules.checkPolicies();
    rules.checkPodGroupPolicy();
    rules.checkJobs();
    return rules.refusals;
  }

  private void checkPolicies() {
    MLPolicy policy = request.policy();
    if (policy == null) {
      return;
    }
    Set<String> unsupported = new LinkedHashSet<>(policy.additionalProperties().keySet());
    addIfSet(unsupported, "mpi", policy.mpi());
    addIfSet(unsupported, "jax", policy.jax());
    addIfSet(unsupported, "xgboost", policy.xgboost());
    addIfSet(unsupported, "flux", policy.flux());
    if (unsupported.size() + (policy.torch() == null ? 0 : 1) > 1) {
      refuse("spec.mlPolicy", "only one of the policies can be configured");
    }
    for (String name : unsupported) {
      refuse("spec.mlPolicy." + name, "this version runs plain and torch policies");
    }
  }

  private void checkPodGroupPolicy() {
    PodGroupPolicy gangs = request.runtime().getSpec().podGroupPolicy();
    if (gangs == null) {
      return;
    }
    Set<String> unsupported = new LinkedHashSet<>(gangs.additionalProperties().keySet());
    addIfSet(unsupported, "coscheduling", gangs.coscheduling());
    addIfSet(unsupported, "volcano", gangs.volcano());
    for (String name : unsupported) {
      refuse("spec.podGroupPolicy." + name, "this version schedules no gangs: take it out");
    }
  }

  private void checkJobs() {
    JobSetTemplateSpec template = request.runtime().getSpec().template();
    JobSetSpec jobSet = template == null ? null : template.spec();
    if (jobSet == null || jobSet.replicatedJobs() == null || jobSet.replicatedJobs().isEmpty()) {
      refuse("spec.template.spec.replicatedJobs", "has no jobs, so nothing would run");
      return;
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < jobSet.replicatedJobs().size(); i++) {
      ReplicatedJob job = jobSet.replicatedJobs().get(i);
      String path = "spec.template.spec.replicatedJobs[" + i + "]";
      if (job.name() == null || job.name().isEmpty()) {
        refuse(path + ".name", "is missing");
      } else if (!names.add(job.name())) {
        refuse(path + ".name", "two jobs are called " + job.name());
      }
      if (hasPodSpec(job)) {
        checkStep(path, new PodSet(job, 1));
        checkQuantities(path, new PodSet(job, 1).podSpec());
      } else {
        refuse(path + ".template.spec.template.spec", "is missing: it holds the containers");
      }
    }
  }

  private void checkStep(String path, PodSet podSet) {
    String container = podSet.ancestor() == null ? null : CONTAINER_OF_STEP.get(podSet.ancestor());
    if (container == null) {
      return;
    }
    if (podSet.replicas() != 1) {
      refuse(path + ".replicas", "always 1 for a job labelled " + podSet.ancestor());
    }
    if (podSet.container(container).isEmpty()) {
      refuse(
          path + ".template.spec.template.spec.containers",
          "a job labelled " + podSet.ancestor() + " needs a container named " + container);
    }
  }

  private void checkQuantities(String path, PodSpec pod) {
    for (int i = 0; i < pod.getContainers().size(); i++) {
      ResourceRequirements resources = pod.getContainers().get(i).getResources();
      String field = path + ".template.spec.template.spec.containers[" + i + "].resources.";
      if (resources != null) {
        NodeResources.wrongQuantities(resources)
            .forEach((name, wrong) -> refuse(field + name, wrong));
      }
    }
  }

  private static boolean hasPodSpec(ReplicatedJob job) {
    return job.template() != null
        && job.template().getSpec() != null
        && job.template().getSpec().getTemplate() != null
        && job.template().getSpec().getTemplate().getSpec() != null;
  }

  private static void addIfSet(Set<String> names, String name, Object policy) {
    if (policy != null) {
      names.add(name);
    }
  }

  private void refuse(String field, String message) {
    refusals.add(request.refuseRuntime(field, message));
  }
}
