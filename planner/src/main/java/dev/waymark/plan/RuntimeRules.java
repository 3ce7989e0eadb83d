package dev.waymark.plan;

import dev.waymark.trainer.api.JobSetSpec;
import dev.waymark.trainer.api.JobSetTemplateSpec;
import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainerJson;
import dev.waymark.trainer.api.TrainingRuntimeSpec;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a runtime's template must be: jobs that can be told apart, each with what its step needs.
 */
final class RuntimeRules {

  /** The container that each step of a TrainJob runs in. */
  private static final Map<String, String> CONTAINER_OF_STEP =
      Map.of(
          TrainerApi.ANCESTOR_TRAINER, TrainerApi.NODE,
          TrainerApi.ANCESTOR_DATASET_INITIALIZER, TrainerApi.ANCESTOR_DATASET_INITIALIZER,
          TrainerApi.ANCESTOR_MODEL_INITIALIZER, TrainerApi.ANCESTOR_MODEL_INITIALIZER);

  /** Made of no fields, whichever there are. */
  private static final TrainingRuntimeSpec NO_SPEC =
      TrainerJson.fromMap(Map.of(), TrainingRuntimeSpec.class);

  private static final JobSetTemplateSpec NO_TEMPLATE =
      TrainerJson.fromMap(Map.of(), JobSetTemplateSpec.class);

  private final RuntimeResource runtime;
  private final boolean atAdmission;
  private final List<Refusal> refusals = new ArrayList<>();

  private RuntimeRules(RuntimeResource runtime, boolean atAdmission) {
    this.runtime = runtime;
    this.atAdmission = atAdmission;
  }

  static List<Refusal> check(RuntimeResource runtime) {
    return new RuntimeRules(runtime, true).check();
  }

  /** Templates that no plan can be made of. */
  static List<Refusal> obstacles(RuntimeResource runtime) {
    return new RuntimeRules(runtime, false).check();
  }

  private List<Refusal> check() {
    runtime.problems().forEach(problem -> invalid(problem.field(), problem.message()));
    if (runtime.getSpec() != null) {
      checkJobs();
    } else if (refusals.isEmpty()) {
      invalid("spec", "is missing");
    }
    return refusals;
  }

  /** Whether one of a TrainJob's steps runs in these pods. */
  static boolean isStep(PodSet podSet) {
    return podSet.ancestor() != null && CONTAINER_OF_STEP.containsKey(podSet.ancestor());
  }

  /** What the CRD refuses in a runtime. */
  static Refusal invalid(RuntimeResource runtime, String field, String message) {
    return new Refusal(runtime.title(), Refusal.Kind.INVALID, field, message);
  }

  private void checkJobs() {
    JobSetTemplateSpec template = runtime.getSpec().template();
    JobSetSpec jobSet = template == null ? null : template.spec();
    if (runtime.getSpec().equals(NO_SPEC)) {
      invalid("spec", "is empty");
    } else if (NO_TEMPLATE.equals(template)) {
      invalid("spec.template", "is empty");
    } else if (jobSet == null
        || jobSet.replicatedJobs() == null
        || jobSet.replicatedJobs().isEmpty()) {
      forbid("spec.template.spec.replicatedJobs", "has no jobs, so nothing would run");
    } else {
      checkJobs(jobSet);
    }
  }

  private void checkJobs(JobSetSpec jobSet) {
    if (startsInOrder(jobSet)
        && jobSet.replicatedJobs().stream().anyMatch(it -> it.dependsOn() != null)) {
      invalid("spec.template.spec", "startupPolicy InOrder and dependsOn exclude each other");
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < jobSet.replicatedJobs().size(); i++) {
      ReplicatedJob job = jobSet.replicatedJobs().get(i);
      String path = "spec.template.spec.replicatedJobs[" + i + "]";
      if (job.name() == null) {
        invalid(path + ".name", "is missing");
      } else if (job.name().isEmpty()) {
        forbid(path + ".name", "is empty");
      } else if (!names.add(job.name())) {
        invalid(path + ".name", "two jobs are called " + job.name());
      }
      if (PodSet.hasPodSpec(job)) {
        if (atAdmission) {
          checkStep(path, new PodSet(job, 1));
        }
        checkQuantities(path, new PodSet(job, 1).podSpec());
      } else {
        forbid(path + ".template.spec.template.spec", "is missing: it holds the containers");
      }
    }
  }

  private void checkStep(String path, PodSet podSet) {
    if (!isStep(podSet)) {
      return;
    }
    String container = CONTAINER_OF_STEP.get(podSet.ancestor());
    if (podSet.replicas() != 1) {
      forbid(path + ".replicas", "always 1 for a job labelled " + podSet.ancestor());
    }
    if (podSet.container(container).isEmpty()) {
      forbid(
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
            .forEach((name, wrong) -> invalid(field + name, wrong));
        NodeResources.belowZero(resources).forEach((name, wrong) -> forbid(field + name, wrong));
      }
    }
  }

  private static boolean startsInOrder(JobSetSpec jobSet) {
    return jobSet.startupPolicy() != null
        && "InOrder".equals(jobSet.startupPolicy().get("startupPolicyOrder"));
  }

  private void invalid(String field, String message) {
    refusals.add(invalid(runtime, field, message));
  }

  private void forbid(String field, String message) {
    refusals.add(new Refusal(runtime.title(), Refusal.Kind.FORBIDDEN, field, message));
  }
}
