package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.JobSetStatus;
import dev.waymark.trainer.api.JobSetStatus.ReplicatedJobStatus;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes of a TrainJob whose JobSet exists. */
class TrainJobUpdateTest {

  private static final RuntimeResource RUNTIME = Yaml.runtime("{torch: {}}");

  @ParameterizedTest(name = "{0} to {1}")
  @MethodSource
  void refuses(String before, String after, List<String> expected) {
    assertThat(update("suspend: true\n" + before, "suspend: true\n" + after, stored(before, 0)))
        .containsExactlyElementsOf(expected);
  }

  static Stream<Arguments> refuses() {
    String patched = "403 spec.runtimePatches";
    return Stream.of(
        row("trainer: {numNodes: 1}", "trainer: {numNodes: 2}", "422 spec.trainer"),
        row("trainer: {numNodes: 1}", "", "403 spec.trainer"),
        row("", "trainer: {}", "403 spec.trainer"),
        row("", "activeDeadlineSeconds: 5", "403 spec.activeDeadlineSeconds"),
        row(
            "activeDeadlineSeconds: 6",
            "activeDeadlineSeconds: 5",
            "422 spec.activeDeadlineSeconds"),
        row("", "managedBy: kueue.x-k8s.io/multikueue", "403 spec.managedBy"),
        row("", patch("nodeSelector: {a: b}")),
        row("", patch("tolerations: [{key: a}], schedulingGates: [{name: example.com/g}]")),
        row(patch("nodeSelector: {a: b}"), ""),
        row("", patchOfPods("metadata: {labels: {a: b}}")),
        row(patchOfPods("metadata: {annotations: {a: b}}"), ""),
        row("", patch("affinity: {nodeAffinity: {}}"), patched),
        row("", patch("securityContext: {runAsUser: 5}"), patched),
        row("", patch("imagePullSecrets: [{name: late}]"), patched),
        row(patch("terminationGracePeriodSeconds: 5"), "", patched),
        row(
            patch("serviceAccountName: a"),
            patch("serviceAccountName: b"),
            "422 spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0]"
                + ".template.spec.template.spec.serviceAccountName"),
        row("", patch("containers: [{name: ghost}]"), patched));
  }

  /** Whatever became of the runtime and of the rules: it can be stopped and deleted. */
  @ParameterizedTest(name = "{0} to {1}")
  @MethodSource
  void takes(String before, String after) {
    assertThat(
            TrainJobValidator.update(
                Yaml.trainJob(before), Yaml.trainJob(after), null, null, ClusterSettings.NONE))
        .isEmpty();
  }

  static Stream<Arguments> takes() {
    String refusedToday = "trainer: {env: [{name: PET_NNODES}]}";
    return Stream.of(
        row("suspend: true", "suspend: false"),
        row("suspend: false", "suspend: true"),
        row("suspend: true", "suspend: true"),
        row(refusedToday, refusedToday + "\nsuspend: true"));
  }

  @Test
  void takesWhateverIsBeingDeleted() {
    TrainJob job = Yaml.trainJob("trainer: {numNodes: 2}");
    job.getMetadata().setDeletionTimestamp("2026-01-02T03:04:05Z");

    assertThat(TrainJobValidator.update(Yaml.trainJob(""), job, null, null, ClusterSettings.NONE))
        .isEmpty();
  }

  @ParameterizedTest(name = "suspended {0} to {1}: {2}")
  @CsvSource({"false,false,1", "true,false,0", "false,true,0", "true,true,0"})
  void changesPatchesOnlyWhileSuspended(boolean before, boolean after, int refusals) {
    assertThat(
            update(
                "suspend: " + before,
                "suspend: " + after + "\n" + patch("nodeSelector: {a: b}"),
                stored("", 0)))
        .hasSize(refusals);
  }

  @Test
  void changesPatchesOnlyWithoutPods() {
    assertThat(
            update("suspend: true", "suspend: true\n" + patch("nodeSelector: {}"), stored("", 1)))
        .containsExactly("403 spec.runtimePatches");
  }

  /** Nothing has been rendered yet, so everything can still be reached. */
  @Test
  void changesAnyPatchBeforeThereIsAJobSet() {
    assertThat(
            update(
                "suspend: true", "suspend: true\n" + patch("affinity: {nodeAffinity: {}}"), null))
        .isEmpty();
  }

  @Test
  void ignoresTheTimesOfPatches() {
    String one = patch("affinity: {nodeAffinity: {}}");
    String other = one.replace("manager:", "time: '2026-01-02T03:04:05Z'\n    manager:");

    assertThat(update(one, other, stored(one, 0))).isEmpty();
  }

  private static List<String> update(String before, String after, JobSet stored) {
    return TrainJobValidator.update(
            Yaml.trainJob(before), Yaml.trainJob(after), RUNTIME, stored, ClusterSettings.NONE)
        .stream()
        .map(refusal -> refusal.kind().status() + " " + refusal.field())
        .toList();
  }

  private static JobSet stored(String spec, int active) {
    TrainJob job = Yaml.trainJob(spec);
    JobSet jobSet = Renderer.render(Planner.plan(job, RUNTIME), job).jobSet();
    jobSet.setStatus(
        new JobSetStatus(
            null,
            List.of(new ReplicatedJobStatus("node", 0, 0, 0, active, 1 - active, null)),
            null,
            null,
            null));
    return jobSet;
  }

  private static String patch(String pod) {
    return patchOfPods("spec: {" + pod + "}");
  }

  private static String patchOfPods(String template) {
    return "runtimePatches:\n  - manager: example.com/me\n    trainingRuntimeSpec: {template: {spec:"
        + " {replicatedJobs: [{name: node, template: {spec: {template: {"
        + template
        + "}}}}]}}}";
  }

  private static Arguments row(String before, String after, String... expected) {
    return Arguments.of(before, after, List.of(expected));
  }
}
