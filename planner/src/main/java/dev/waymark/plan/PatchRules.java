package dev.waymark.plan;

import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a runtime patch may say. Names are looked up in the runtime as it is: upstream v2.3 looks in
 * the merged template, where an unknown name has already become a job or container of its own.
 */
final class PatchRules {

  /** A DNS-1123 subdomain, a slash, a path of the characters that a URL's path allows. */
  private static final Pattern MANAGER =
      Pattern.compile(
          "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
              + "/[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

  /** Containers whose variables are the business of {@code spec.trainer} and its like. */
  private static final Set<String> ENV_SET_ELSEWHERE =
      Set.of(
          TrainerApi.NODE,
          TrainerApi.ANCESTOR_DATASET_INITIALIZER,
          TrainerApi.ANCESTOR_MODEL_INITIALIZER);

  private static final String WRITE_A_MANAGER =
      "write a domain and a path, as in example.com/my-tool";

  private static final int MOST_PATCHES = 16;

  private static final String PATCHES = "spec.runtimePatches";

  private final PlanRequest request;
  private final List<Refusal> refusals = new ArrayList<>();
  private final List<Refusal> unknown = new ArrayList<>();

  private PatchRules(PlanRequest request) {
    this.request = request;
  }

  static List<Refusal> check(PlanRequest request) {
    PatchRules rules = new PatchRules(request);
    List<RuntimePatch> patches = patches(request);
    if (patches.size() > MOST_PATCHES) {
      rules.invalid(PATCHES, "at most " + MOST_PATCHES + " patches");
    }
    rules.checkManagers(patches);
    for (int i = 0; i < patches.size(); i++) {
      Map<String, Object> patch = patches.get(i).trainingRuntimeSpec();
      if (patch != null) {
        PatchShape.check(path(i), patch, rules::invalid);
        rules.checkJobs(path(i) + ".template.spec.replicatedJobs", patch);
      }
    }
    return rules.refusals;
  }

  /** Patches of jobs and containers that the runtime doesn't have: nothing could run in them. */
  static List<Refusal> unknownNames(PlanRequest request) {
    PatchRules rules = new PatchRules(request);
    List<RuntimePatch> patches = patches(request);
    for (int i = 0; i < patches.size(); i++) {
      rules.checkJobs(
          path(i) + ".template.spec.replicatedJobs", patches.get(i).trainingRuntimeSpec());
    }
    return rules.unknown;
  }

  private static String path(int patch) {
    return PATCHES + "[" + patch + "].trainingRuntimeSpec";
  }

  /** The patches of a TrainJob, never null. */
  static List<RuntimePatch> patches(PlanRequest request) {
    List<RuntimePatch> patches = request.job().getSpec().runtimePatches();
    return patches == null ? List.of() : patches;
  }

  /** A field that is an object, or an empty one. */
  static Map<String, Object> field(Map<String, Object> around, String name) {
    return fields(around == null ? null : around.get(name));
  }

  /** The objects in a field that is a list. */
  static List<Map<String, Object>> items(Map<String, Object> around, String name) {
    return around.get(name) instanceof List<?> list
        ? list.stream().map(PatchRules::fields).toList()
        : List.of();
  }

  @SuppressWarnings("unchecked") // JSON objects have text as keys
  private static Map<String, Object> fields(Object value) {
    return value instanceof Map ? (Map<String, Object>) value : Map.of();
  }

  private void checkManagers(List<RuntimePatch> patches) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < patches.size(); i++) {
      String manager = patches.get(i).manager();
      String path = PATCHES + "[" + i + "]";
      if (manager == null || manager.isEmpty()) {
        invalid(path + ".manager", "is missing: " + WRITE_A_MANAGER);
      } else if (!seen.add(manager)) {
        invalid(path, "\"" + manager + "\" stands twice: put its changes into one patch");
      } else if (!MANAGER.matcher(manager).matches()) {
        forbid(PATCHES + ".manager", "\"" + manager + "\": " + WRITE_A_MANAGER);
      }
    }
  }

  private void checkJobs(String path, Map<String, Object> patch) {
    Map<String, Object> jobSet = field(field(patch, "template"), "spec");
    for (Named job : named(path, jobSet, "replicatedJobs")) {
      ReplicatedJob known =
          request.runtime().getSpec().template().spec().replicatedJobs().stream()
              .filter(candidate -> candidate.name().equals(job.name()))
              .findFirst()
              .orElse(null);
      if (known == null) {
        forbidUnknown(job.path(), "the runtime has no job " + job.name());
      } else {
        Map<String, Object> podTemplate =
            field(field(field(job.fields(), "template"), "spec"), "template");
        checkPod(
            job.path() + ".template.spec.template.spec",
            field(podTemplate, "spec"),
            known.template().getSpec().getTemplate().getSpec());
      }
    }
  }

  private void checkPod(String path, Map<String, Object> pod, PodSpec known) {
    for (Named container : named(path + ".containers", pod, "containers")) {
      checkContainer(container, "container", known.getContainers());
      if (ENV_SET_ELSEWHERE.contains(container.name())
          && !items(container.fields(), "env").isEmpty()) {
        forbidAt(
            container.path() + ".env",
            "the variables of container "
                + container.name()
                + " come from spec.trainer or spec.initializer: put them there");
      }
    }
    for (Named container : named(path + ".initContainers", pod, "initContainers")) {
      checkContainer(container, "init container", known.getInitContainers());
    }
    named(path + ".volumes", pod, "volumes");
    named(path + ".imagePullSecrets", pod, "imagePullSecrets");
    named(path + ".schedulingGates", pod, "schedulingGates");
    if (pod.get("terminationGracePeriodSeconds") instanceof Number seconds
        && seconds.longValue() < 0) {
      invalid(path + ".terminationGracePeriodSeconds", "is " + seconds + ": at least 0");
    }
  }

  private void checkContainer(Named container, String kind, List<Container> known) {
    if (known.stream().noneMatch(one -> container.name().equals(one.getName()))) {
      forbidUnknown(container.path(), "the runtime has no " + kind + " " + container.name());
    }
    named(container.path() + ".env", container.fields(), "env");
    named(container.path() + ".volumeMounts", container.fields(), "volumeMounts");
  }

  private record Named(String path, String name, Map<String, Object> fields) {}

  /** The items of a list that have what they are merged by; the others are refused. */
  private List<Named> named(String path, Map<String, Object> around, String list) {
    List<Named> items = new ArrayList<>();
    if (around.get(list) instanceof List<?> untyped) {
      for (int i = 0; i < untyped.size(); i++) {
        String key = StrategicMerge.keyOf(list);
        String item = path + "[" + i + "]";
        Map<String, Object> fields = fields(untyped.get(i));
        if (fields.get(key) instanceof String name && !name.isEmpty()) {
          items.add(new Named(item, name, fields));
        } else {
          invalid(item + "." + key, "is missing");
        }
      }
    }
    return items;
  }

  private void invalid(String field, String message) {
    refusals.add(request.invalid(field, message));
  }

  private void forbid(String field, String message) {
    refusals.add(request.forbid(field, message));
  }

  private void forbidUnknown(String path, String message) {
    unknown.add(forbidAt(path, message));
  }

  /** Upstream names the whole list for what is wrong inside; the message says where. */
  private Refusal forbidAt(String path, String message) {
    Refusal refusal = request.forbid(PATCHES, path.substring(PATCHES.length()) + ": " + message);
    refusals.add(refusal);
    return refusal;
  }
}
