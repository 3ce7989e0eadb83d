package dev.waymark.controller.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.WatchEvent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterConnectionTest {

  @ParameterizedTest
  @CsvSource({
    "v1, ConfigMap",
    "trainer.kubeflow.org/v1alpha1, TrainJob",
    "jobset.x-k8s.io/v1alpha2, JobSet"
  })
  void readsAllOfAnObjectButItsManagedFields(String apiVersion, String kind) {
    String told =
        """
        {"type": "ADDED", "object": {"apiVersion": "%s", "kind": "%s", "metadata": {
          "name": "demo", "labels": {"team": "a"}, "unknown": 1,
          "managedFields": [{"manager": "kubectl", "fieldsV1": {"f:data": {"f:a": {}}}}]}}}
        """
            .formatted(apiVersion, kind);

    WatchEvent event = ClusterConnection.serialization().unmarshal(told, WatchEvent.class);

    ObjectMeta metadata = ((HasMetadata) event.getObject()).getMetadata();
    assertThat(metadata.getManagedFields()).isEmpty();
    assertThat(metadata.getName()).isEqualTo("demo");
    assertThat(metadata.getLabels()).containsEntry("team", "a");
    assertThat(metadata.getAdditionalProperties()).containsOnlyKeys("unknown");
  }
}
