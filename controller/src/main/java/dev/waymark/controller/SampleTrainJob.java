package dev.waymark.controller;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.plan.ClusterSettings;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainerJson;
import java.util.Map;

/** A TrainJob such as many are, with its runtime, to {@link Practice} with. */
public final class SampleTrainJob {

  /** As an API server shows it once it is stored. */
  public static final String JSON =
      """
      {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob",
       "metadata": {"name": "sample", "namespace": "sample", "generation": 1, "resourceVersion": "1",
         "uid": "00000000-0000-0000-0000-000000000000", "creationTimestamp": "2026-01-02T03:04:05Z"},
       "spec": {"runtimeRef": {"apiGroup": "trainer.kubeflow.org", "kind": "ClusterTrainingRuntime",
           "name": "sample"},
         "suspend": false, "managedBy": "trainer.kubeflow.org/trainjob-controller",
         "trainer": {"image": "registry.example/app:2", "numNodes": 2,
           "command": ["java"], "args": ["-jar", "app.jar"],
           "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}],
           "resourcesPerNode": {"requests": {"cpu": "1", "memory": "1Gi"}}}}}
      """;

  private static final String RUNTIME =
      """
      {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime",
       "metadata": {"name": "sample", "labels": {"trainer.kubeflow.org/framework": "torch"}},
       "spec": {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {"replicatedJobs": [
         {"name": "node", "template": {
           "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
           "spec": {"template": {"spec": {"containers": [
             {"name": "node", "image": "registry.example/app:1"}]}}}}}]}}}}
      """;

  /** The runtime that it names. */
  public static RuntimeResource runtime() {
    try {
      Map<String, Object> fields = new ObjectMapper().readValue(RUNTIME, new TypeReference<>() {});
      return TrainerJson.fromMap(fields, ClusterTrainingRuntime.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the sample is not JSON", e);
    }
  }

  /** Of a cluster that takes reports. */
  public static ClusterSettings settings() {
    return new ClusterSettings(
        new ClusterSettings.Progress("https://sample.svc:10443", "-----BEGIN CERTIFICATE-----\n"),
        null);
  }

  private SampleTrainJob() {}
}
