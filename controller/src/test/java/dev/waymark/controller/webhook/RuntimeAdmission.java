package dev.waymark.controller.webhook;

import static dev.waymark.controller.webhook.AdmissionCluster.TEAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of runtimes that users create and change. */
abstract class RuntimeAdmission {

  private final AdmissionCluster cluster;

  RuntimeAdmission(AdmissionCluster cluster) {
    this.cluster = cluster;
  }

  @ParameterizedTest
  @CsvSource({
    "TrainingRuntime, node, 2, 403, replicas",
    "TrainingRuntime, main, 1, 403, containers",
    "ClusterTrainingRuntime, node, 2, 403, replicas",
    "ClusterTrainingRuntime, main, 1, 403, containers",
  })
  void refusesRuntimes(String kind, String container, int replicas, int code, String field) {
    KubernetesClientException refusal =
        catchThrowableOfType(
            KubernetesClientException.class,
            () ->
                cluster.create(
                    AdmissionCluster.runtime(kind, "refused", "{}", container, replicas)));

    assertThat(refusal.getCode()).isEqualTo(code);
    assertThat(refusal.getStatus().getMessage())
        .contains("spec.template.spec.replicatedJobs[0].", field);
  }

  @Test
  void checksChangesToo() {
    cluster.createRuntime("changing", "mlPolicy: {}");
    GenericKubernetesResource runtime = cluster.resource("TrainingRuntime", "changing").get();
    Map<String, Object> job = runtime.get("spec", "template", "spec", "replicatedJobs", 0);
    job.put("replicas", 2);
    assertThatThrownBy(() -> cluster.client().resource(runtime).inNamespace(TEAM).update())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("replicatedJobs[0].replicas");
  }
}
