package dev.waymark.plan;

import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

  private static final int MOST_PATCHES = 16;

  /** What a patch can reach; a field without children is free below. */
  private record Shape(Map<String, Shape> fields) {

    private static final Shape FREE = new Shape(Map.of());
    private static final Shape CONTAINER =
        of("name", FREE, "env", FREE, "volumeMounts", FREE, "securityContext", FREE);
    private static final Shape POD =
        new Shape(
            Map.ofEntries(
                Map.entry("serviceAccountName", FREE),
                Map.entry("volumes", FREE),
                Map.entry("initContainers", CONTAINER),
                Map.entry("containers", CONTAINER),
                Map.entry("imagePullSecrets", FREE),
                Map.entry("securityContext", FREE),
                Map.entry("terminationGracePeriodSeconds", FREE),
                Map.entry("nodeSelector", FREE),
                Map.entry("affinity", FREE),
                Map.entry("tolerations", FREE),
                Map.entry("schedulingGates", FREE)));
    private static final Shape POD_TEMPLATE = of("metadata", FREE, "spec", POD);
    private static final Shape JOB_TEMPLATE =
        of("metadata", FREE, "spec", of("template", POD_TEMPLATE));
    private static final Shape JOB = of("name", FREE, "template", JOB_TEMPLATE);
    private static final Shape RUNTIME =
        of("template", of("metadata", FREE, "spec", of("replicatedJobs", JOB)));

    private static Shape of(Object... namesAndShapes) {
      Map<String, Shape> fields = new LinkedHashMap<>();
      for (int i = 0; i < namesAndShapes.length; i += 2) {
        fields.put((String) namesAndShapes[i], (Shape) namesAndShapes[i + 1]);
      }
      return new Shape(fields);
    }
  }

  private final PlanRequest request;
  private final List<Refusal> refusals = new ArrayList<>();

  private PatchRules(PlanRequest request) {
    this.request = request;
  }

  static List<Refusal> check(PlanRequest request) {
    PatchRules rules = new PatchRules(request);
    List<RuntimePatch> patches = patches(request);
    if (patches.size() > MOST_PATCHES) {
      rules.refuse("spec.runtimePatches", "at most " + MOST_PATCHES + " patches");
    }
    rules.checkManagers(patches);
    for (int i = 0; i < patches.size(); i++) {
      Map<String, Object> patch = patches.get(i).trainingRuntimeSpec();
      String path = "spec.runtimePatches[" + i + "].trainingRuntimeSpec";
      if (patch != null) {
        rules.checkShape(path, patch, Shape.RUNTIME);
        rules.checkJobs(path + ".template.spec.replicatedJobs", patch);
      }
    }
    return rules.refusals;
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

  @SuppressWarnings("unchecked") // JSON objects have text as keys
  private static Map<String, Object> fields(Object value) {
    return value instanceof Map ? (Map<String, Object>) value : Map.of();
  }

  private void checkManagers(List<RuntimePatch> patches) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < patches.size(); i++) {
      String manager = patches.get(i).manager();
      String path = "spec.runtimePatches[" + i + "].manager";
      if (manager == null || !MANAGER.matcher(manager).matches()) {
        refuse(path, said(manager) + "write a domain and a path, as in example.com/my-tool");
      } else if (!seen.add(manager)) {
        refuse(path, "\"" + manager + "\" stands twice: put its changes into one patch");
      }
    }
  }

  private void checkShape(String path, Object value, Shape shape) {
    if (value == null && !shape.fields().isEmpty()) {
      refuse(path, "null would delete all of it: leave it out");
    } else if (value instanceof Map<?, ?> fields && !shape.fields().isEmpty()) {
      fields.forEach(
          (name, field) -> {
            String child = path + "." + name;
            Shape below = shape.fields().get(name);
            if (below == null) {
              String allowed = String.join(", ", new TreeSet<>(shape.fields().keySet()));
              refuse(child, "can't be patched, only " + allowed);
            } else {
              checkShape(child, field, below);
            }
          });
    } else if (value instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        checkShape(path + "[" + i + "]", items.get(i), shape);
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
        refuse(job.path(), "the runtime has no job " + job.name());
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
      if (ENV_SET_ELSEWHERE.contains(container.name()) && container.fields().get("env") != null) {
        refuse(
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
      refuse(path + ".terminationGracePeriodSeconds", "is " + seconds + ": at least 0");
    }
  }

  private void checkContainer(Named container, String kind, List<Container> known) {
    if (known.stream().noneMatch(one -> container.name().equals(one.getName()))) {
      refuse(container.path(), "the runtime has no " + kind + " " + container.name());
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
          refuse(item + "." + key, "is missing");
        }
      }
    }
    return items;
  }

  private void refuse(String field, String message) {
    refusals.add(request.refuseJob(field, message));
  }

  private static String said(String value) {
    return value == null ? "is missing: " : "\"" + value + "\": ";
  }
}
