package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RuntimeSnapshotTest {

  private static final TrainJob JOB = job();

  @Test
  void keepsTheWholeRuntime() {
    RuntimeResource runtime = runtime();

    ConfigMap snapshot = RuntimeSnapshot.of(JOB, RuntimeSnapshot.text(runtime));

    assertThat(snapshot.getMetadata().getName()).isEqualTo("demo-runtime-snapshot");
    assertThat(snapshot.getMetadata().getNamespace()).isEqualTo("team-a");
    assertThat(snapshot.getMetadata().getLabels()).isEmpty();
    assertThat(JOB.owns(snapshot)).isTrue();
    RuntimeResource read = RuntimeSnapshot.read(JOB, snapshot);
    runtime.getMetadata().setManagedFields(null);
    assertThat(TrainerJson.write(read)).isEqualTo(TrainerJson.write(runtime));
  }

  @Test
  void readsWhatUpstreamWrote() {
    String yaml =
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainingRuntime
        metadata:
          creationTimestamp: "2026-01-02T03:04:05Z"
          managedFields:
          - apiVersion: trainer.kubeflow.org/v1alpha1
            fieldsType: FieldsV1
            fieldsV1:
              f:spec: {}
            manager: kubectl
            operation: Update
            time: "2026-01-02T03:04:05Z"
          name: rt
        spec:
          template:
            metadata: {}
            spec:
              replicatedJobs:
              - name: node
                template:
                  metadata: {}
                  spec:
                    template:
                      metadata: {}
                      spec:
                        containers:
                        - name: node
                          resources: {}
        """;

    assertThat(RuntimeSnapshot.read(JOB, withRuntime(yaml)).title())
        .isEqualTo("TrainingRuntime rt");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refusesWhatIsNoSnapshotOfItsOwn(String message, Consumer<ConfigMap> damage) {
    ConfigMap snapshot = RuntimeSnapshot.of(JOB, RuntimeSnapshot.text(runtime()));
    damage.accept(snapshot);

    assertThatThrownBy(() -> RuntimeSnapshot.read(JOB, snapshot))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessageStartingWith("invalid runtime snapshot: " + message);
  }

  static Stream<Arguments> refusesWhatIsNoSnapshotOfItsOwn() {
    String foreign = "a snapshot configmap exists but is owned by another object";
    return Stream.of(
        damaged(foreign, it -> it.getMetadata().setOwnerReferences(List.of())),
        damaged(foreign, it -> it.getMetadata().getOwnerReferences().get(0).setUid("other")),
        damaged(foreign, it -> it.getMetadata().getOwnerReferences().get(0).setController(false)),
        damaged("the key runtime is missing", it -> it.setData(Map.of())),
        damaged("the key runtime is missing", it -> it.setData(null)),
        damaged("demo-runtime-snapshot:1: document 1: not JSON", it -> it.setData(text("{"))),
        damaged("demo-runtime-snapshot:1: document 1: kind", it -> it.setData(text("kind: Pod"))),
        damaged(
            "it keeps TrainingRuntime other, and the TrainJob names TrainingRuntime rt",
            it -> it.setData(text(it.getData().get("runtime").replace("\"rt\"", "\"other\"")))),
        damaged(
            "it keeps ClusterTrainingRuntime rt, and the TrainJob names TrainingRuntime rt",
            it ->
                it.setData(
                    text(it.getData().get("runtime").replace("\"Training", "\"ClusterTraining")))));
  }

  private static Arguments damaged(String message, Consumer<ConfigMap> damage) {
    return Arguments.of(message, damage);
  }

  private static ConfigMap withRuntime(String yaml) {
    ConfigMap snapshot = RuntimeSnapshot.of(JOB, RuntimeSnapshot.text(runtime()));
    snapshot.setData(text(yaml));
    return snapshot;
  }

  private static Map<String, String> text(String runtime) {
    return Map.of("runtime", runtime);
  }

  private static TrainJob job() {
    TrainJob job = Yaml.trainJob("");
    job.getMetadata().setNamespace("team-a");
    job.getMetadata().setUid("1-2-3");
    return job;
  }

  private static RuntimeResource runtime() {
    RuntimeResource runtime = Yaml.runtime("{torch: {}}", ", newField: {deep: [1]}");
    runtime.getMetadata().setUid("4-5-6");
    runtime.getMetadata().setManagedFields(List.of(new ManagedFieldsEntry()));
    return runtime;
  }
}
