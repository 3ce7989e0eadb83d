package dev.waymark.client;

import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.Yaml;

/** Objects for tests, written as people write them. */
final class Samples {

  private static final KubernetesSerialization READER = Cluster.serialization();

  /**
   * A TrainJob named demo that uses the runtime rt.
   *
   * @param spec more of its spec, in flow style without the outer braces; may be empty
   * @param status in flow style, or empty
   */
  static TrainJob job(String spec, String status) {
    return TrainerDocuments.read(
            "test.yaml",
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: demo, namespace: team-a}
            spec: {runtimeRef: {name: rt}%s}
            %s
            """
                .formatted(
                    spec.isEmpty() ? "" : ", " + spec, status.isEmpty() ? "" : "status: " + status))
        .trainJobs()
        .get(0);
  }

  /**
   * A cluster's runtime named rt with one job and one container, both called node.
   *
   * @param policy its ML policy in flow style, or empty for none
   * @param container more of its container, in flow style without the outer braces; may be empty
   */
  static RuntimeResource runtime(String policy, String container) {
    return runtimeOf(
        policy,
        "- {name: node, template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step:"
            + " trainer}}, spec: {template: {spec: {containers: [{name: node, image: img"
            + (container.isEmpty() ? "" : ", " + container)
            + "}]}}}}}");
  }

  /** A cluster's runtime named rt with these jobs, lines of a YAML list. */
  static RuntimeResource runtimeOf(String policy, String jobs) {
    return TrainerDocuments.read(
            "test.yaml",
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: ClusterTrainingRuntime
            metadata: {name: rt, labels: {trainer.kubeflow.org/framework: djl}}
            spec:
              %s
              template:
                spec:
                  replicatedJobs:
            %s
            """
                .formatted(
                    policy.isEmpty() ? "" : "mlPolicy: " + policy,
                    jobs.strip().indent(8).stripTrailing()))
        .runtimes()
        .get(0);
  }

  /** The same as clients see it. */
  static TrainerRuntime usable(RuntimeResource runtime) {
    return new RuntimeReader(DeviceMap.standard()).read(runtime);
  }

  /**
   * A pod of the TrainJob demo.
   *
   * @param job its replicated job
   * @param container more of its container, in flow style without the outer braces; may be empty
   * @param status in flow style
   */
  static Pod pod(String name, String job, int index, String container, String status) {
    String containerName = job.equals("launcher") ? "node" : job;
    return yaml(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team-a
          creationTimestamp: "2026-11-30T10:00:00Z"
          labels:
            jobset.sigs.k8s.io/jobset-name: demo
            jobset.sigs.k8s.io/replicatedjob-name: %s
            batch.kubernetes.io/job-completion-index: "%d"
        spec: {containers: [{name: %s, image: img%s}]}
        status: %s
        """
            .formatted(
                name,
                job,
                index,
                containerName,
                container.isEmpty() ? "" : ", " + container,
                status),
        Pod.class);
  }

  /** The steps of these pods. */
  static List<Step> steps(Pod... pods) {
    return StepReader.steps(parts(pods));
  }

  /** The parts of these pods. */
  static List<PodPart> parts(Pod... pods) {
    StepReader reader = new StepReader(DeviceMap.standard());
    return List.of(pods).stream().map(reader::part).flatMap(Optional::stream).toList();
  }

  /** A value of fabric8's, written in YAML, and read as this client reads it from a cluster. */
  static <T> T yaml(String text, Class<T> type) {
    // fabric8 itself takes a text that begins with a brace for JSON.
    return READER.convertValue(new Yaml().<Object>load(text), type);
  }

  private Samples() {}
}
