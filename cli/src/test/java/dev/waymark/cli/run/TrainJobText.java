package dev.waymark.cli.run;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The text of a TrainJob {@code demo} with its runtime {@code jvm}, in which a test says only what
 * it is about. Its image's stand-in is the folder {@code image} beside the file.
 */
final class TrainJobText {

  /** Where in the text something can be said, and what stands there otherwise. */
  enum Place {
    NAMESPACE(""),
    ANNOTATION("waymark.dev/local-root: image"),
    JOB(""),
    COMMAND("command: [java]"),
    TRAINER(""),
    RUNTIME(""),
    JOB_SET(""),
    BATCH_JOB(""),
    POD(""),
    CONTAINER(""),
    MORE_CONTAINERS(""),
    MORE_JOBS("");

    private final String otherwise;

    Place(String otherwise) {
      this.otherwise = otherwise;
    }
  }

  private static final String JOB =
      """
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: TrainJob
      metadata:
        name: demo
        <NAMESPACE>
        annotations:
          <ANNOTATION>
      spec:
        <JOB>
        runtimeRef:
          name: jvm
          kind: $KIND
        trainer:
          <COMMAND>
          <TRAINER>
      """;

  private static final String RUNTIME =
      """
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: $KIND
      metadata:
        name: jvm
        <NAMESPACE>
      spec:
        <RUNTIME>
        template:
          spec:
            <JOB_SET>
            replicatedJobs:
              - name: node
                template:
                  metadata:
                    labels:
                      trainer.kubeflow.org/trainjob-ancestor-step: trainer
                  spec:
                    <BATCH_JOB>
                    template:
                      spec:
                        <POD>
                        containers:
                          - name: node
                            image: example.org/image
                            <CONTAINER>
                          <MORE_CONTAINERS>
              <MORE_JOBS>
      """;

  private final Map<Place, String> said = new EnumMap<>(Place.class);

  /** Says something at a place, in one or more lines of YAML. */
  TrainJobText with(Place place, String yaml) {
    said.put(place, yaml);
    return this;
  }

  /**
   * Puts both into a namespace: the runtime is a TrainingRuntime then, not one of the cluster's.
   */
  TrainJobText inNamespace(String name) {
    return with(Place.NAMESPACE, "namespace: " + name);
  }

  String job() {
    return filled(JOB);
  }

  String runtime() {
    return filled(RUNTIME);
  }

  /** Both, as one file may hold them. */
  String both() {
    return job() + "---\n" + runtime();
  }

  private String filled(String template) {
    String kind = said.containsKey(Place.NAMESPACE) ? "TrainingRuntime" : "ClusterTrainingRuntime";
    return template
        .lines()
        .map(this::filledLine)
        .map(line -> line.replace("$KIND", kind))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** A place has a line of its own, and all that is said there gets its indentation. */
  private String filledLine(String line) {
    for (Place place : Place.values()) {
      String mark = "<" + place + ">";
      if (line.endsWith(mark)) {
        String indentation = line.substring(0, line.length() - mark.length());
        String yaml = said.getOrDefault(place, place.otherwise).strip();
        return indentation + yaml.replace("\n", "\n" + indentation);
      }
    }
    return line;
  }
}
