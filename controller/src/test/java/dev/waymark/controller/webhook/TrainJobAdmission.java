package dev.waymark.controller.webhook;

import static dev.waymark.controller.webhook.AdmissionCluster.LIMIT;
import static dev.waymark.controller.webhook.AdmissionCluster.TEAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of TrainJobs that users create and change. */
abstract class TrainJobAdmission {

  private final AdmissionCluster cluster;

  TrainJobAdmission(AdmissionCluster cluster) {
    this.cluster = cluster;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "no such runtime | runtimeRef: {name: nope, kind: TrainingRuntime} | 403 | spec.runtimeRef",
        "no such cluster runtime | runtimeRef: {name: nope}        | 403 | spec.runtimeRef",
        "no kind of runtime | runtimeRef: {name: x, kind: Job}      | 403 | unsupported runtime",
        "reserved variable | trainer: {env: [{name: PET_NNODES, value: '3'}]} | 403 |"
            + " spec.trainer.env",
        "text for a number | trainer: {numNodes: '2'}               | 400 | spec.trainer.numNodes",
        "a number for text | trainer: {image: 7}                    | 400 | spec.trainer.image",
        "no quantity | trainer: {resourcesPerNode: {limits: {cpu: two}}} | 400 | limits.cpu",
        "a quantity for the schema only | trainer: {resourcesPerNode: {limits: {cpu: '1e1.5'}}} |"
            + " 400 | limits.cpu",
        "resources below zero | trainer: {resourcesPerNode: {limits: {cpu: '-1'}}} | 403 |"
            + " limits[cpu]",
        "no time | runtimePatches: [{manager: a.io/b, time: soon}]  | 400 |"
            + " spec.runtimePatches[0].time",
        "a patch of another type | runtimePatches: [{manager: a.io/b, trainingRuntimeSpec:"
            + " {template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec:"
            + " {tolerations: none}}}}}]}}}}] | 400 | tolerations",
        "the schema's own | trainer: {numNodes: -1}                 | 422 | spec.trainer.numNodes",
        "bad manager | runtimePatches: [{manager: plain}]           | 403 | spec.runtimePatches",
        "unknown job | runtimePatches: [{manager: a.io/b, trainingRuntimeSpec: {template: {spec:"
            + " {replicatedJobs: [{name: ghost}]}}}}] | 403 | spec.runtimePatches",
        "no dataset job | initializer: {dataset: {storageUri: 'hf://a/b'}} | 403 | spec.runtimeRef",
      })
  void refusesTrainJobs(String what, String spec, int code, String field) {
    KubernetesClientException refusal =
        catchThrowableOfType(
            KubernetesClientException.class, () -> cluster.createTrainJob("refused", spec));

    assertThat(refusal).as(what).isNotNull();
    assertThat(refusal.getCode()).isEqualTo(code);
    assertThat(refusal.getStatus().getMessage()).contains(field);
    if (code == 403) {
      assertThat(refusal.getStatus().getReason()).isEqualTo("Forbidden");
      assertThat(refusal.getStatus().getMessage())
          .startsWith(
              "admission webhook \"validator.trainjob.trainer.kubeflow.org\" denied the request: ");
    }
  }

  @Test
  void checksChangesToo() {
    cluster.createTrainJob("running", "suspend: false");
    assertThatThrownBy(
            () ->
                cluster.merge(
                    "TrainJob",
                    "running",
                    "{spec: {runtimePatches: [{manager: a.io/b, trainingRuntimeSpec: {template:"
                        + " {metadata: {labels: {x: y}}}}}]}}"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("spec.runtimePatches");
    cluster.merge("TrainJob", "running", "{metadata: {labels: {x: y}}}");
  }

  /** A TrainJob goes by what its runtime was, so its patches are held against that. */
  @Test
  void checksChangesAgainstTheSnapshot() {
    cluster.createRuntime("edited", "mlPolicy: {}");
    cluster.createTrainJob(
        "of-edited", "{suspend: true, runtimeRef: {name: edited, kind: TrainingRuntime}}");
    await()
        .atMost(LIMIT)
        .until(
            () ->
                cluster
                        .client()
                        .configMaps()
                        .inNamespace(TEAM)
                        .withName("of-edited-runtime-snapshot")
                        .get()
                    != null);
    cluster
        .client()
        .genericKubernetesResources("trainer.kubeflow.org/v1alpha1", "TrainingRuntime")
        .inNamespace(TEAM)
        .withName("edited")
        .patch(
            PatchContext.of(PatchType.JSON),
            "[{\"op\": \"replace\", \"path\": \"/spec/template/spec/replicatedJobs/0/name\","
                + " \"value\": \"renamed\"}]");

    assertThatThrownBy(() -> patchJob("of-edited", "renamed"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("spec.runtimePatches");
    patchJob("of-edited", "node");
  }

  private void patchJob(String trainJob, String replicatedJob) {
    cluster.merge(
        "TrainJob",
        trainJob,
        """
        spec:
          runtimePatches:
          - manager: a.io/b
            trainingRuntimeSpec:
              template:
                spec:
                  replicatedJobs:
                  - name: %s
                    template: {spec: {template: {metadata: {labels: {x: y}}}}}
        """
            .formatted(replicatedJob));
  }

  /** Upstream lets both happen: the schema holds only values, so in two steps all could change. */
  @Test
  void whatIsFixedCanNeitherGoNorCome() {
    cluster.createTrainJob("fixed", "{suspend: true, trainer: {numNodes: 2}}");

    assertRefused(
        () -> cluster.merge("TrainJob", "fixed", "{spec: {trainer: null}}"), "spec.trainer");
    cluster.createTrainJob("without", "{suspend: true}");
    assertRefused(
        () -> cluster.merge("TrainJob", "without", "{spec: {trainer: {numNodes: 9}}}"),
        "spec.trainer");
    assertRefused(
        () -> cluster.merge("TrainJob", "without", "{spec: {activeDeadlineSeconds: 9}}"),
        "spec.activeDeadlineSeconds");
  }

  private static void assertRefused(ThrowingCallable change, String field) {
    assertThatThrownBy(change)
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refusal -> assertThat(refusal.getCode()).isEqualTo(403))
        .hasMessageContaining(field + ": field is immutable");
  }

  @Test
  void notesWhenPatchesWereChanged() {
    cluster.createTrainJob(
        "patched",
        "{suspend: true, runtimePatches: [{manager: a.io/b, trainingRuntimeSpec: {template:"
            + " {metadata: {labels: {x: y}}}}}]}");

    String time =
        cluster.resource("TrainJob", "patched").get().get("spec", "runtimePatches", 0, "time");
    assertThat(Instant.parse(time)).isAfter(Instant.now().minus(LIMIT));
  }
}
