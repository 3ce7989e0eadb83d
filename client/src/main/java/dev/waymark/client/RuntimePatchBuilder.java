package dev.waymark.client;

import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Makes a patch of a runtime's template, job by job. What the Trainer API lets a patch reach of a
 * pod: service account, volumes, image pull secrets, security context, grace period, node selector,
 * affinity, tolerations, scheduling gates; of a container, which must be in the runtime: env,
 * volume mounts, security context. Lists are merged by name. Not for use by several threads.
 */
public final class RuntimePatchBuilder {

  /** Who patches, unless it is said. */
  public static final String MANAGER = "waymark.dev/client";

  private final String manager;
  private final Map<String, Object> jobSetMetadata = new LinkedHashMap<>();
  private final Map<String, JobPatch> jobs = new LinkedHashMap<>();
  private final List<FieldProblem> problems = new ArrayList<>();

  private record JobPatch(
      Map<String, Object> jobMetadata, Map<String, Object> podMetadata, Map<String, Object> pod) {}

  /** Patches as this client does. */
  public RuntimePatchBuilder() {
    this(MANAGER);
  }

  /**
   * Patches as somebody else.
   *
   * @param manager a domain and a path; each of a TrainJob's patches has another
   */
  public RuntimePatchBuilder(String manager) {
    this.manager = manager;
  }

  /** Adds labels and annotations to the JobSet. Either may be empty. */
  public RuntimePatchBuilder jobSet(Map<String, String> labels, Map<String, String> annotations) {
    add(jobSetMetadata, labels, annotations);
    return this;
  }

  /** Adds labels and annotations to the Jobs of a replicated job. Either may be empty. */
  public RuntimePatchBuilder job(
      String job, Map<String, String> labels, Map<String, String> annotations) {
    add(patchOf(job).jobMetadata(), labels, annotations);
    return this;
  }

  /** Adds labels and annotations to the pods of a replicated job. Either may be empty. */
  public RuntimePatchBuilder pods(
      String job, Map<String, String> labels, Map<String, String> annotations) {
    add(patchOf(job).podMetadata(), labels, annotations);
    return this;
  }

  /**
   * Changes the pods of a replicated job; for the same job the last one counts.
   *
   * @param job such as {@code node}
   * @param change only what is to change
   */
  public RuntimePatchBuilder pods(String job, PodSpec change) {
    Map<String, Object> pod = patchOf(job).pod();
    pod.clear();
    pod.putAll(TrainerJson.toMap(change));
    check(job, change);
    return this;
  }

  /**
   * The patch.
   *
   * @throws TrainerException.Invalid with all that is wrong with it, if anything is
   */
  public RuntimePatch build() {
    if (!problems.isEmpty()) {
      throw new TrainerException.Invalid("Patch of " + manager, problems);
    }
    List<Map<String, Object>> patched = new ArrayList<>();
    jobs.forEach(
        (name, patch) -> {
          Map<String, Object> podTemplate = new LinkedHashMap<>();
          put(podTemplate, "metadata", patch.podMetadata());
          put(podTemplate, "spec", patch.pod());
          Map<String, Object> jobSpec = new LinkedHashMap<>();
          put(jobSpec, "template", podTemplate);
          Map<String, Object> jobTemplate = new LinkedHashMap<>();
          put(jobTemplate, "metadata", patch.jobMetadata());
          put(jobTemplate, "spec", jobSpec);
          Map<String, Object> job = new LinkedHashMap<>();
          job.put("name", name);
          put(job, "template", jobTemplate);
          patched.add(job);
        });
    Map<String, Object> jobSet = new LinkedHashMap<>();
    if (!patched.isEmpty()) {
      jobSet.put("replicatedJobs", patched);
    }
    Map<String, Object> template = new LinkedHashMap<>();
    put(template, "metadata", jobSetMetadata);
    put(template, "spec", jobSet);
    return new RuntimePatch(manager, null, Map.of("template", template), null);
  }

  private JobPatch patchOf(String job) {
    if (job == null || job.isBlank()) {
      problems.add(new FieldProblem("replicatedJobs.name", "is missing: name the job to patch"));
    }
    return jobs.computeIfAbsent(
        String.valueOf(job),
        name -> new JobPatch(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>()));
  }

  private void check(String job, PodSpec pod) {
    Stream.of(pod.getContainers(), pod.getInitContainers())
        .flatMap(List::stream)
        .forEach(container -> check(job, container));
  }

  private void check(String job, Container container) {
    String name = container.getName();
    if (name == null || name.isBlank()) {
      problems.add(
          new FieldProblem(job + ".containers.name", "is missing: name the container to patch"));
    }
    for (EnvVar variable : container.getEnv()) {
      boolean hasValue = variable.getValue() != null && !variable.getValue().isEmpty();
      if (hasValue && variable.getValueFrom() != null) {
        problems.add(
            new FieldProblem(
                job + ".containers[" + name + "].env[" + variable.getName() + "]",
                "has a value and a valueFrom: choose one"));
      }
    }
    for (VolumeMount mount : container.getVolumeMounts()) {
      if (mount.getMountPath() == null || !mount.getMountPath().startsWith("/")) {
        problems.add(
            new FieldProblem(
                job + ".containers[" + name + "].volumeMounts[" + mount.getName() + "]",
                "is mounted at \"" + mount.getMountPath() + "\": write an absolute path"));
      }
    }
  }

  private static void add(
      Map<String, Object> metadata, Map<String, String> labels, Map<String, String> annotations) {
    merge(metadata, "labels", labels);
    merge(metadata, "annotations", annotations);
  }

  private static void merge(Map<String, Object> metadata, String field, Map<String, String> more) {
    if (more.isEmpty()) {
      return;
    }
    Map<String, Object> all = new LinkedHashMap<>();
    if (metadata.get(field) instanceof Map<?, ?> before) {
      before.forEach((name, value) -> all.put((String) name, value));
    }
    all.putAll(more);
    metadata.put(field, all);
  }

  private static void put(Map<String, Object> around, String field, Map<String, Object> value) {
    if (!value.isEmpty()) {
      around.put(field, value);
    }
  }
}
