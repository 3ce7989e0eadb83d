package dev.waymark.plan;

import dev.waymark.trainer.api.JobSetSpec;
import dev.waymark.trainer.api.JobSetTemplateSpec;
import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainerApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/** What is wrong with a runtime, of either kind, when it is created or changed. */
public final class RuntimeValidator {

  /** Fields of a JobSet that its CRD holds fixed, inside a runtime too. */
  private static final Map<String, Function<JobSetSpec, Object>> IMMUTABLE =
      Map.of(
          "network", JobSetSpec::network,
          "failurePolicy", JobSetSpec::failurePolicy,
          "startupPolicy", JobSetSpec::startupPolicy,
          "successPolicy", JobSetSpec::successPolicy,
          "volumeClaimPolicies", JobSetSpec::volumeClaimPolicies);

  private static final String JOB_SET = "spec.template.spec.";

  /** All that is wrong with a new runtime; empty for a good one. */
  public static List<Refusal> create(RuntimeResource runtime) {
    List<Refusal> refusals = new ArrayList<>(RuntimeRules.check(runtime));
    if (runtime.getSpec() != null) {
      refusals.addAll(PolicyRules.check(runtime));
      Planner.PLUGINS.forEach(plugin -> refusals.addAll(plugin.checkRuntime(runtime)));
    }
    return refusals;
  }

  /**
   * All that is wrong with a change of a runtime. Fixed fields can neither come nor go; the CRD
   * itself holds only their values.
   */
  public static List<Refusal> update(RuntimeResource old, RuntimeResource runtime) {
    if (runtime.getMetadata().getDeletionTimestamp() != null
        || Objects.equals(old.getSpec(), runtime.getSpec())) {
      return List.of();
    }
    List<Refusal> refusals = new ArrayList<>(create(runtime));
    JobSetSpec before = jobSet(old);
    JobSetSpec after = jobSet(runtime);
    if (before != null && after != null) {
      new TreeMap<>(IMMUTABLE)
          .forEach(
              (field, value) ->
                  compare(
                      runtime, JOB_SET + field, value.apply(before), value.apply(after), refusals));
      compareJobs(runtime, jobs(before), jobs(after), refusals);
    }
    return refusals;
  }

  /**
   * What a job waits for is fixed too. It may come and go, as upstream lets it: whoever changes a
   * runtime with jobs that depend on each other writes the whole list of them.
   */
  private static void compareJobs(
      RuntimeResource runtime,
      List<ReplicatedJob> before,
      List<ReplicatedJob> after,
      List<Refusal> refusals) {
    for (int i = 0; i < after.size(); i++) {
      ReplicatedJob job = after.get(i);
      String path = JOB_SET + "replicatedJobs[" + i + "].dependsOn";
      before.stream()
          .filter(old -> Objects.equals(old.name(), job.name()))
          .findFirst()
          .filter(old -> old.dependsOn() != null && job.dependsOn() != null)
          .ifPresent(old -> compare(runtime, path, old.dependsOn(), job.dependsOn(), refusals));
    }
  }

  private static List<ReplicatedJob> jobs(JobSetSpec jobSet) {
    return jobSet.replicatedJobs() == null ? List.of() : jobSet.replicatedJobs();
  }

  /**
   * What to tell whoever creates or uses a runtime, though nothing forbids it. Upstream v2.3 says
   * nothing of a deprecated TrainingRuntime.
   *
   * @return sentences for people
   */
  public static List<String> warnings(RuntimeResource runtime) {
    List<String> warnings = new ArrayList<>();
    Map<String, String> labels = runtime.getMetadata().getLabels();
    if (labels != null && TrainerApi.DEPRECATED.equals(labels.get(TrainerApi.SUPPORT_LABEL))) {
      warnings.add(runtime.title() + " is deprecated: it will be removed in a later version");
    }
    if (runtime.getSpec() != null) {
      PolicyRules.unsupported(runtime)
          .forEach(
              refusal -> warnings.add(refusal + ": TrainJobs that use this runtime are refused"));
    }
    return warnings;
  }

  private static void compare(
      RuntimeResource runtime, String path, Object before, Object after, List<Refusal> refusals) {
    if (Objects.equals(before, after)) {
      return;
    }
    boolean heldByCrd = before != null && after != null;
    refusals.add(
        heldByCrd
            ? RuntimeRules.invalid(runtime, path, "Value is immutable")
            : new Refusal(
                runtime.title(),
                Refusal.Kind.FORBIDDEN,
                path,
                "Value is immutable: it can neither be added nor removed"));
  }

  private static JobSetSpec jobSet(RuntimeResource runtime) {
    JobSetTemplateSpec template = runtime.getSpec() == null ? null : runtime.getSpec().template();
    return template == null ? null : template.spec();
  }

  private RuntimeValidator() {}
}
