package dev.waymark.cli.cluster.tests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.controller.FakeApiServer;
import dev.waymark.trainer.api.TrainerApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.yaml.snakeyaml.Yaml;

/**
 * An API server in memory with what tests of a client put there, and a kubeconfig that leads to it.
 */
final class TrainJobsOnFakeApiServer implements AutoCloseable {

  static final String NAMESPACE = "team-a";
  static final String TRAIN_JOBS =
      "/apis/" + TrainerApi.API_VERSION + "/namespaces/" + NAMESPACE + "/trainjobs";
  static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";

  private static final String TYPES = "/apis/" + TrainerApi.API_VERSION;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final FakeApiServer api = new FakeApiServer();
  private final Path kubeconfig;

  TrainJobsOnFakeApiServer(Path folder) throws IOException {
    kubeconfig = kubeconfig(folder, api.url());
    api.serve(
        TYPES,
        json(
            """
            kind: APIResourceList
            apiVersion: v1
            groupVersion: trainer.kubeflow.org/v1alpha1
            resources:
              - {name: trainjobs, kind: TrainJob, namespaced: true, singularName: trainjob, verbs: [get]}
              - {name: trainingruntimes, kind: TrainingRuntime, namespaced: true, singularName: x, verbs: [get]}
              - {name: clustertrainingruntimes, kind: ClusterTrainingRuntime, namespaced: false, singularName: y, verbs: [get]}
            """));
    api.serve("/version", json("{major: '1', minor: '34', gitVersion: v1.34.1}"));
  }

  /** A file that leads to a server as somebody with a token. */
  static Path kubeconfig(Path folder, String server) throws IOException {
    return Files.writeString(
        Files.createTempFile(folder, "kubeconfig", ""),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s"}}]
        users: [{name: u, user: {token: t}}]
        contexts: [{name: x, context: {cluster: c, user: u, namespace: %s}}]
        current-context: x
        """
            .formatted(server, NAMESPACE));
  }

  FakeApiServer api() {
    return api;
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  /** A cluster's runtime with one GPU a node. */
  void runtime(String name) {
    put(
        "/apis/" + TrainerApi.API_VERSION + "/clustertrainingruntimes/" + name,
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: ClusterTrainingRuntime
        metadata: {name: %s, labels: {trainer.kubeflow.org/framework: djl}}
        spec:
          mlPolicy: {numNodes: 2}
          template:
            spec:
              replicatedJobs:
                - name: node
                  template:
                    metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                    spec:
                      template:
                        spec:
                          containers:
                            - {name: node, image: img, resources: {limits: {nvidia.com/gpu: '1'}}}
        """
            .formatted(name));
  }

  /**
   * A TrainJob of the runtime rt.
   *
   * @param more further fields beside metadata, lines of YAML; may be empty
   */
  void trainJob(String name, String more) {
    put(
        TRAIN_JOBS + "/" + name,
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainJob
        metadata: {name: %s, namespace: %s, uid: uid-of-%s}
        spec: {runtimeRef: {name: rt}}
        %s
        """
            .formatted(name, NAMESPACE, name, more));
  }

  /** A node's pod of a TrainJob. */
  void pod(String trainJob, int index, String status) {
    put(
        PODS + "/" + trainJob + "-node-0-" + index,
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s-node-0-%d
          namespace: %s
          labels:
            jobset.sigs.k8s.io/jobset-name: %s
            jobset.sigs.k8s.io/replicatedjob-name: node
            batch.kubernetes.io/job-completion-index: '%d'
        spec:
          containers: [{name: node, image: img, resources: {limits: {nvidia.com/gpu: '1'}}}]
        status: %s
        """
            .formatted(trainJob, index, NAMESPACE, trainJob, index, status));
  }

  /** The path of the log of a node's pod. */
  static String log(String trainJob, int index) {
    return PODS + "/" + trainJob + "-node-0-" + index + "/log";
  }

  /** Changes a TrainJob by a merge patch in YAML. */
  void change(String trainJob, String patch) {
    api.change(TRAIN_JOBS + "/" + trainJob, json(patch));
  }

  /** Puts an object there that is written in YAML. */
  void put(String path, String yaml) {
    api.put(path, json(yaml));
  }

  /** A condition of a TrainJob, in flow style. */
  static String condition(String type, String message) {
    return "{type: "
        + type
        + ", status: 'True', reason: R, message: '"
        + message
        + "', lastTransitionTime: '2026-11-30T10:00:00Z'}";
  }

  private static String json(String yaml) {
    try {
      return JSON.writeValueAsString(new Yaml().<Object>load(yaml));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    api.close();
  }
}
