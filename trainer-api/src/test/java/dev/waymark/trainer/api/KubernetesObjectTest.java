package dev.waymark.trainer.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The types in the hands of fabric8's client, whose mapper is laxer than an API server. */
class KubernetesObjectTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final KubernetesSerialization CLIENT = new KubernetesSerialization();
  private static final KubernetesSerialization LAX = lax();

  /** With this setting an informer outlives what it can't read, as far as fabric8 can help it. */
  private static KubernetesSerialization lax() {
    KubernetesSerialization serialization = new KubernetesSerialization(new ObjectMapper(), true);
    serialization.getUnmatchedFieldTypeModule().setRestrictToTemplates(false);
    return serialization;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refusesWhatItCouldNotRead(String json, String problem) throws JsonProcessingException {
    for (KubernetesSerialization client : List.of(CLIENT, LAX)) {
      TrainJob job = client.unmarshal(json, TrainJob.class);

      assertThat(job.name()).isEqualTo("a");
      assertThat(job.problems()).extracting(FieldProblem::toString).containsExactly(problem);
      assertThat(JSON.readTree(client.asJson(job))).isEqualTo(JSON.readTree(json));
    }
  }

  static Stream<Arguments> refusesWhatItCouldNotRead() {
    return Stream.of(
        Arguments.of(
            job("spec", "{\"runtimeRef\":{\"name\":\"r\"},\"trainer\":{\"numNodes\":\"many\"}}"),
            "spec.trainer.numNodes: is the text \"many\", expected a whole number, without quotes"),
        Arguments.of(
            job("spec", "{\"runtimeRef\":{\"name\":\"r\"},\"trainer\":{\"env\":[{\"name\":5}]}}"),
            "spec.trainer.env[0].name: is the number 5, expected text: put it in quotes"),
        Arguments.of(
            job(
                "spec",
                "{\"runtimeRef\":{\"name\":\"r\"},\"trainer\":{\"resourcesPerNode\":{\"limits\":"
                    + "{\"cpu\":\"two\"}}}}"),
            "spec.trainer.resourcesPerNode.limits.cpu: is the text \"two\", expected a quantity such"
                + " as 2, 500m or 8Gi"),
        Arguments.of(job("spec", "[1]"), "spec: is a list, expected a mapping of fields"),
        Arguments.of(
            job("status", "{\"jobsStatus\":[{\"name\":\"node\",\"ready\":true}]}"),
            "status.jobsStatus[0].ready: is the boolean true, expected a whole number, without"
                + " quotes"));
  }

  private static String job(String field, String value) {
    return "{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"TrainJob\","
        + "\"metadata\":{\"name\":\"a\"},\""
        + field
        + "\":"
        + value
        + "}";
  }

  @Test
  void isWrittenWithoutWhatFollowsFromItsSpec() {
    TrainJob job =
        CLIENT.unmarshal(
            job("spec", "{\"runtimeRef\":{\"name\":\"r\"},\"suspend\":true}"), TrainJob.class);
    JobSet jobSet = new JobSet();

    assertThat(job.isSuspended()).isTrue();
    assertThat(jobSet.isSuspended()).isFalse();
    assertThat(JSON.valueToTree(TrainerJson.toMap(job)).has("suspended")).isFalse();
    assertThat(CLIENT.asJson(jobSet)).doesNotContain("suspended");
  }

  @Test
  void oneThatDoesNotFitLeavesTheOthersAlone() {
    String list =
        "{\"items\":["
            + job("spec", "{\"runtimeRef\":5}")
            + ","
            + job("spec", "{\"runtimeRef\":{\"name\":\"r\"}}")
            + "]}";

    DefaultKubernetesResourceList<TrainJob> read =
        CLIENT.unmarshal(list, new TypeReference<DefaultKubernetesResourceList<TrainJob>>() {});

    assertThat(read.getItems()).hasSize(2);
    assertThat(read.getItems().get(0).getSpec()).isNull();
    assertThat(read.getItems().get(1).problems()).isEmpty();
    assertThat(read.getItems().get(1).getSpec().runtimeRef().name()).isEqualTo("r");
  }

  /** A patch stays JSON, since an explicit null in it deletes. */
  @Test
  void tellsWhichPatchesDoNotFit() {
    String patches =
        "[null, {\"manager\":\"a/b\",\"trainingRuntimeSpec\":{\"template\":{\"metadata\":{\"labels\":"
            + "{\"x\":1,\"y\":null}},\"spec\":{\"replicatedJobs\":{}}}}},{\"manager\":\"c/d\"}]";
    TrainJob job =
        CLIENT.unmarshal(job("spec", "{\"runtimePatches\":" + patches + "}"), TrainJob.class);

    assertThat(job.problems()).isEmpty();
    assertThat(job.patchProblems())
        .extracting(FieldProblem::toString)
        .containsExactly(
            "spec.runtimePatches[1].trainingRuntimeSpec.template.metadata.labels.x:"
                + " is the number 1, expected text: put it in quotes",
            "spec.runtimePatches[1].trainingRuntimeSpec.template.spec.replicatedJobs:"
                + " is a mapping, expected a list");
    assertThat(new TrainJob().patchProblems()).isEmpty();
  }

  @Test
  void isMendedByAnother() {
    TrainJob job = CLIENT.unmarshal(job("spec", "{\"suspend\":\"yes\"}"), TrainJob.class);

    job.setSpec(new TrainJobSpec(null, null, null, null, true, null, null, null));

    assertThat(job.problems()).isEmpty();
    assertThat(CLIENT.asJson(job)).contains("\"spec\":{\"suspend\":true}");
  }

  /** A watch names no class: the client finds it by apiVersion and kind. */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void isFoundByItsKind(String apiVersion, Class<? extends KubernetesResource> type) {
    WatchEvent event =
        CLIENT.unmarshal(
            "{\"type\":\"ADDED\",\"object\":{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"a\"}}}"
                .formatted(apiVersion, type.getSimpleName()),
            WatchEvent.class);

    assertThat(event.getObject()).isExactlyInstanceOf(type);
  }

  static Stream<Arguments> isFoundByItsKind() {
    return Stream.of(
        Arguments.of("trainer.kubeflow.org/v1alpha1", TrainJob.class),
        Arguments.of("trainer.kubeflow.org/v1alpha1", TrainingRuntime.class),
        Arguments.of("trainer.kubeflow.org/v1alpha1", ClusterTrainingRuntime.class),
        Arguments.of("jobset.x-k8s.io/v1alpha2", JobSet.class));
  }
}
