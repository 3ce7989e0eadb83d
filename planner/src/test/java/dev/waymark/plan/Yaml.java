package dev.waymark.plan;

import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;

/** Short texts for tables of cases. */
final class Yaml {

  private static final String HEAD = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ";

  /** A runtime whose only job trains, in container node; the policy is the text after mlPolicy. */
  static RuntimeResource runtime(String policy) {
    return runtime(policy, "");
  }

  /**
   * @param node more fields of container node, in flow style, such as {@code ", command: [java]"}
   */
  static RuntimeResource runtime(String policy, String node) {
    return runtime(policy, node, "");
  }

  /**
   * @param pod more fields of the pod's spec, on a line
   */
  static RuntimeResource runtime(String policy, String node, String pod) {
    return runtimeSpec(
        """
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
                        %s
                        containers:
                          - {name: node, image: "registry.example/app:1"%s}
                          - {name: side, image: "registry.example/side:1"}
                        initContainers:
                          - {name: prepare, image: "registry.example/prepare:1"}
        """
            .formatted(policy, pod, node));
  }

  static RuntimeResource runtimeSpec(String spec) {
    return read(HEAD + "TrainingRuntime\nmetadata: {name: rt}\nspec:\n" + spec.indent(2))
        .runtimes()
        .get(0);
  }

  /** A TrainJob named demo for the runtime named rt, with more fields of its spec. */
  static TrainJob trainJob(String spec) {
    return read(HEAD
            + "TrainJob\nmetadata: {name: demo}\nspec:\n"
            + "  runtimeRef: {name: rt, kind: TrainingRuntime}\n"
            + spec.indent(2))
        .trainJobs()
        .get(0);
  }

  private static TrainerDocuments read(String text) {
    return TrainerDocuments.read("test.yaml", text);
  }

  private Yaml() {}
}
