package dev.waymark.controller;

import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/** What tests on a real API server make there, in their client's namespace. */
public final class ClusterObjects {

  private ClusterObjects() {}

  /** Makes a runtime of one job with one container, for TrainJobs that no client chooses. */
  static void createRuntime(KubernetesClient client, String name, String policy) {
    createRuntime(client, name, "", policy, "");
  }

  /**
   * Makes a runtime of one job with one container.
   *
   * @param framework by which clients know what it is for; empty: they leave it out
   * @param policy its ML policy, in flow style
   * @param container more of its container, in flow style without the outer braces; may be empty
   */
  public static void createRuntime(
      KubernetesClient client, String name, String framework, String policy, String container) {
    create(
        client,
        TrainingRuntime.class,
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainingRuntime
        metadata: {name: %s%s}
        spec:
          mlPolicy: %s
          template:
            spec:
              replicatedJobs:
                - name: node
                  template:
                    metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                    spec:
                      template:
                        spec:
                          containers: [{name: node, image: "registry.example/app:1"%s}]
        """
            .formatted(
                name,
                framework.isEmpty()
                    ? ""
                    : ", labels: {trainer.kubeflow.org/framework: " + framework + "}",
                policy,
                container.isEmpty() ? "" : ", " + container));
  }

  /**
   * Makes a TrainJob.
   *
   * @param more of its spec, one field in flow style or nothing
   */
  static void createTrainJob(KubernetesClient client, String name, String runtime, String more) {
    create(
        client,
        TrainJob.class,
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainJob
        metadata: {name: %s}
        spec:
          runtimeRef: {kind: TrainingRuntime, name: %s}
          %s
        """
            .formatted(name, runtime, more));
  }

  /** Makes what is written in YAML. */
  static <T extends HasMetadata> void create(KubernetesClient client, Class<T> type, String yaml) {
    client.resource(client.getKubernetesSerialization().<T>unmarshal(yaml, type)).create();
  }

  /** The pods of a TrainJob that are there. */
  static List<Pod> pods(KubernetesClient client, String trainJob) {
    return client.pods().withLabel("jobset.sigs.k8s.io/jobset-name", trainJob).list().getItems();
  }

  /** Says how far a pod is, as its kubelet would. */
  static void setPhase(KubernetesClient client, Pod pod, String phase) {
    client
        .pods()
        .withName(pod.getMetadata().getName())
        .editStatus(
            it -> new PodBuilder(it).editOrNewStatus().withPhase(phase).endStatus().build());
  }

  /** A token of the namespace's account that is bound to a pod, for an hour. */
  static String podToken(KubernetesClient client, String audience, Pod pod) {
    return token(
        client,
        new TokenRequestBuilder()
            .withNewSpec()
            .withAudiences(audience)
            .withExpirationSeconds(3600L)
            .withNewBoundObjectRef(
                "v1", "Pod", pod.getMetadata().getName(), pod.getMetadata().getUid())
            .endSpec());
  }

  /** A token of the namespace's account that is bound to nothing, for an hour. */
  static String accountToken(KubernetesClient client, String audience) {
    return token(
        client,
        new TokenRequestBuilder()
            .withNewSpec()
            .withAudiences(audience)
            .withExpirationSeconds(3600L)
            .endSpec());
  }

  /** A token of the namespace's account. */
  static String token(KubernetesClient client, TokenRequestBuilder request) {
    return client
        .serviceAccounts()
        .withName("default")
        .tokenRequest(request.build())
        .getStatus()
        .getToken();
  }
}
