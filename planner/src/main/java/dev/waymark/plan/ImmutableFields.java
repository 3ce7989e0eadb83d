package dev.waymark.plan;

import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Fields of a TrainJob that stay as they were created. The CRD refuses another value, but neither
 * that a field comes nor that it goes, because its rules run only where both values exist; that is
 * the webhook's business. Upstream v2.3 has no such check: a TrainJob could lose its trainer and
 * get another one.
 */
final class ImmutableFields {

  private static final List<String> OF_POD =
      List.of(
          "serviceAccountName",
          "volumes",
          "initContainers",
          "containers",
          "imagePullSecrets",
          "securityContext",
          "terminationGracePeriodSeconds");

  private final TrainJob job;
  private final List<Refusal> refusals = new ArrayList<>();

  private ImmutableFields(TrainJob job) {
    this.job = job;
  }

  static List<Refusal> check(TrainJob old, TrainJob job) {
    ImmutableFields fields = new ImmutableFields(job);
    if (old.getSpec() != null && job.getSpec() != null) {
      fields.compare(old.getSpec(), job.getSpec());
    }
    return fields.refusals;
  }

  private void compare(TrainJobSpec old, TrainJobSpec spec) {
    compare("spec.runtimeRef", old.runtimeRef(), spec.runtimeRef());
    compare("spec.initializer", old.initializer(), spec.initializer());
    compare("spec.trainer", old.trainer(), spec.trainer());
    compare(
        "spec.activeDeadlineSeconds", old.activeDeadlineSeconds(), spec.activeDeadlineSeconds());
    compare("spec.managedBy", old.managedBy(), spec.managedBy());
    List<RuntimePatch> patches = patches(spec);
    for (int i = 0; i < patches.size(); i++) {
      for (RuntimePatch before : patches(old)) {
        if (Objects.equals(before.manager(), patches.get(i).manager())) {
          comparePatches("spec.runtimePatches[" + i + "]", before, patches.get(i));
        }
      }
    }
  }

  private void compare(String path, Object before, Object after) {
    if (Objects.equals(before, after)) {
      return;
    }
    boolean heldByCrd = before != null && after != null;
    refusals.add(
        new Refusal(
            job.title(),
            heldByCrd ? Refusal.Kind.INVALID : Refusal.Kind.FORBIDDEN,
            path,
            heldByCrd
                ? "field is immutable"
                : "field is immutable: it can neither be added nor removed"));
  }

  /** A field that comes or goes here is refused only if the JobSet can't follow. */
  private void comparePatches(String path, RuntimePatch before, RuntimePatch after) {
    List<Map<String, Object>> jobs = jobs(after);
    for (int i = 0; i < jobs.size(); i++) {
      for (Map<String, Object> old : jobs(before)) {
        if (Objects.equals(old.get("name"), jobs.get(i).get("name"))) {
          String pod =
              path
                  + ".trainingRuntimeSpec.template.spec.replicatedJobs["
                  + i
                  + "].template.spec.template.spec.";
          comparePods(pod, podSpec(old), podSpec(jobs.get(i)));
        }
      }
    }
  }

  private void comparePods(String path, Map<String, Object> before, Map<String, Object> after) {
    for (String field : OF_POD) {
      if (before.get(field) != null && after.get(field) != null) {
        compare(path + field, before.get(field), after.get(field));
      }
    }
  }

  private static List<RuntimePatch> patches(TrainJobSpec spec) {
    return spec.runtimePatches() == null ? List.of() : spec.runtimePatches();
  }

  private static Map<String, Object> podSpec(Map<String, Object> job) {
    Map<String, Object> jobSpec = PatchRules.field(PatchRules.field(job, "template"), "spec");
    return PatchRules.field(PatchRules.field(jobSpec, "template"), "spec");
  }

  private static List<Map<String, Object>> jobs(RuntimePatch patch) {
    Map<String, Object> template = PatchRules.field(patch.trainingRuntimeSpec(), "template");
    return PatchRules.items(PatchRules.field(template, "spec"), "replicatedJobs");
  }
}
