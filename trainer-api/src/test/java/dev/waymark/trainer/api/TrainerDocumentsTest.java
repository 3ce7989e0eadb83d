package dev.waymark.trainer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TrainerDocumentsTest {

  private static final String JOB =
      """
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: TrainJob
      metadata:
        name: demo
        annotations: {waymark.dev/local-root: ../app}
      spec:
        runtimeRef: {name: rt, kind: TrainingRuntime}
      """;

  @Test
  void readsSeveralDocumentsInTheirOrder() {
    TrainerDocuments documents =
        TrainerDocuments.read(
            "job.yaml",
            """
            # a comment of its own
            ---
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: ClusterTrainingRuntime
            metadata:
              name: torch
            spec:
              mlPolicy: {numNodes: 2, torch: {}}
              template:
                spec:
                  replicatedJobs:
                    - name: node
                      template:
                        metadata:
                          labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}
                        spec:
                          template:
                            spec:
                              containers:
                                - name: node
                                  image: registry.example/app:1
                                  resources: {limits: {cpu: 2.5}}
            ---
            ---
            """
                + JOB);

    assertThat(documents.resources())
        .extracting(TrainerResource::title)
        .containsExactly("ClusterTrainingRuntime torch", "TrainJob demo");
    assertThat(documents.warnings()).isEmpty();
    TrainJob job = documents.trainJobs().get(0);
    assertThat(job.getSpec().runtimeRef().effectiveKind()).isEqualTo("TrainingRuntime");
    assertThat(job.getMetadata().getAnnotations())
        .containsEntry(WaymarkAnnotations.LOCAL_ROOT, "../app");
    TrainingRuntimeSpec runtime = documents.runtimes().get(0).getSpec();
    assertThat(runtime.mlPolicy().torch()).isNotNull();
    assertThat(runtime.mlPolicy().numNodes()).isEqualTo(2);
    assertThat(
            runtime
                .template()
                .spec()
                .replicatedJobs()
                .get(0)
                .template()
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getResources()
                .getLimits()
                .get("cpu")
                .toString())
        .isEqualTo("2.5");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void saysWhatIsWrongAndWhere(String what, String text, List<String> expected) {
    InvalidDocumentsException e =
        catchThrowableOfType(
            InvalidDocumentsException.class, () -> TrainerDocuments.read("job.yaml", text));

    assertThat(e).as(text).isNotNull();
    assertThat(e.problems())
        .extracting(DocumentProblem::toString)
        .containsExactlyElementsOf(expected);
    assertThat(e).hasMessage(String.join("\n", expected));
  }

  static Stream<Arguments> saysWhatIsWrongAndWhere() {
    String kinds =
        "TrainJob or TrainingRuntime or ClusterTrainingRuntime"
            + " (apiVersion: trainer.kubeflow.org/v1alpha1)";
    return Stream.of(
        wrong(
            "nothing", "\n# nothing\n", "job.yaml:1: document 1: nothing in it: expected " + kinds),
        wrong("no mapping", "- a\n", "job.yaml:1: document 1: is a list, expected " + kinds),
        wrong(
            "tab in YAML",
            "kind: TrainJob\nspec:\n\ttrainer: {}\n",
            "job.yaml:3: document 1: a tab where YAML allows only spaces: indent with spaces"),
        wrong(
            "syntax, after a good document",
            JOB + "---\nkind: TrainJob\nspec: {trainer: [}\n",
            "job.yaml:10: document 2: not YAML: while parsing a flow node:"
                + " expected the node content, but found '}'"),
        wrong(
            "a character that YAML has not",
            "kind: TrainJob\nmetadata: {name: \u0007}\n",
            "job.yaml:2: document 1: character U+0007 is not allowed in YAML"),
        wrong(
            "duplicate key in YAML",
            JOB + "  trainer: {}\n  suspend: true\n  trainer: {numNodes: 2}\n",
            "job.yaml:10: document 1: spec.trainer: stands twice, first in line 8: keep one"),
        wrong(
            "duplicate key in JSON",
            "{\"kind\": \"TrainJob\",\n \"kind\": \"TrainJob\"}",
            "job.yaml:2: document 1: not JSON: Duplicate field 'kind'"),
        wrong(
            "an alias that contains itself",
            "a: &a [1, *a]\n",
            "job.yaml:1: document 1: a[1]: an alias that contains itself"),
        wrong(
            "a list as a key",
            "? [a]\n: b\n",
            "job.yaml:1: document 1: the name of a field must be text"),
        wrong(
            "a merge of something else",
            "a: {<<: b}\n",
            "job.yaml:1: document 1: a: a merge key (<<) takes a mapping or a list of them"),
        wrong(
            "nested beyond all sense",
            "a: " + "[".repeat(60) + "]".repeat(60) + "\n",
            "job.yaml:1: document 1: not YAML: Nesting Depth exceeded max 50"),
        wrong(
            "a tag of another world",
            "a: !!binary aGk=\n",
            "job.yaml:1: document 1: a: \"aGk=\" can't be read as tag:yaml.org,2002:binary:"
                + " leave the tag out"),
        wrong(
            "no kind", "spec: {}\n", "job.yaml:1: document 1: kind: is missing: expected " + kinds),
        wrong(
            "another kind",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n",
            "job.yaml:2: document 1: kind: is the text \"Secret\": expected " + kinds),
        wrong(
            "no apiVersion",
            "kind: TrainJob\nmetadata: {name: a}\n",
            "job.yaml:1: document 1: apiVersion: is missing:"
                + " write apiVersion: trainer.kubeflow.org/v1alpha1"),
        wrong(
            "the training operator's apiVersion",
            "kind: TrainJob\napiVersion: kubeflow.org/v1\n",
            "job.yaml:2: document 1: apiVersion: is the text \"kubeflow.org/v1\":"
                + " write apiVersion: trainer.kubeflow.org/v1alpha1"),
        wrong(
            "no name, no runtime",
            "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nspec: {trainer: {}}\n",
            "job.yaml:1: document 1: metadata.name: is missing: every TrainJob needs a name",
            "job.yaml:3: document 1: spec.runtimeRef.name: is missing:"
                + " name the runtime that the TrainJob uses"),
        wrong(
            "no spec",
            "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainingRuntime\nmetadata: {name: a}\n",
            "job.yaml:1: document 1: spec: is missing: a TrainingRuntime is nothing without one"),
        wrong(
            "several wrong types, in two documents",
            JOB
                + """
                  suspend: "true"
                  trainer:
                    numNodes: "2"
                    numProcPerNode: 1.5
                    command: java -jar app.jar
                    env:
                      - {name: A, value: 3}
                      - {name: B, value: yes}
                      - C
                    resourcesPerNode: 2
                ---
                """
                + JOB
                + "  trainer: []\n",
            "job.yaml:8: document 1: spec.suspend: is the text \"true\","
                + " expected true or false, without quotes",
            "job.yaml:10: document 1: spec.trainer.numNodes: is the text \"2\","
                + " expected a whole number, without quotes",
            "job.yaml:11: document 1: spec.trainer.numProcPerNode: is the number 1.5,"
                + " expected a whole number, without quotes",
            "job.yaml:12: document 1: spec.trainer.command: is the text \"java -jar app"
                + ".jar\", expected a list",
            "job.yaml:14: document 1: spec.trainer.env[0].value: is the number 3,"
                + " expected text: put it in quotes",
            "job.yaml:15: document 1: spec.trainer.env[1].value: is the boolean true,"
                + " expected text: put it in quotes",
            "job.yaml:16: document 1: spec.trainer.env[2]: is the text \"C\","
                + " expected a mapping of fields",
            "job.yaml:17: document 1: spec.trainer.resourcesPerNode: is the number 2,"
                + " expected a mapping of fields",
            "job.yaml:26: document 2: spec.trainer: is a list, expected a mapping of fields"),
        wrong(
            "wrong types inside a runtime's pods",
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: ClusterTrainingRuntime
            metadata: {name: rt, labels: {tier: 1}}
            spec:
              template:
                spec:
                  replicatedJobs:
                    - name: node
                      replicas: two
                      template:
                        spec:
                          template:
                            spec:
                              containers:
                                node: {image: x}
            """,
            "job.yaml:3: document 1: metadata.labels.tier: is the number 1, expected text:"
                + " put it in quotes",
            "job.yaml:9: document 1: spec.template.spec.replicatedJobs[0].replicas:"
                + " is the text \"two\", expected a whole number, without quotes",
            "job.yaml:14: document 1: spec.template.spec.replicatedJobs[0].template.spec"
                + ".template.spec.containers: is a mapping, expected a list"),
        wrong(
            "wrong type inside a patch",
            JOB
                + """
                  runtimePatches:
                    - manager: example.com/me
                      trainingRuntimeSpec:
                        template:
                          spec:
                            replicatedJobs:
                              - name: node
                                template: {spec: {template: {spec: {tolerations: none}}}}
                """,
            "job.yaml:15: document 1: spec.runtimePatches[0].trainingRuntimeSpec.template"
                + ".spec.replicatedJobs[0].template.spec.template.spec.tolerations:"
                + " is the text \"none\", expected a list"),
        wrong(
            "numbers and quantities out of bounds",
            JOB
                + """
                  activeDeadlineSeconds: 99999999999999999999
                  trainer:
                    numNodes: 99999999999
                    resourcesPerNode:
                      limits: {cpu: [1], memory: true, gpu: "8 Gi", a: 2, b: 1.5, c: 1e3, d: "+.5Mi"}
                      requests: none
                    env:
                      - name: A
                        valueFrom: {secretKeyRef: {name: s, key: k, optional: maybe}}
                """,
            "job.yaml:8: document 1: spec.activeDeadlineSeconds:"
                + " is the number 99999999999999999999, too far from 0",
            "job.yaml:10: document 1: spec.trainer.numNodes:"
                + " is the number 99999999999, too far from 0",
            "job.yaml:12: document 1: spec.trainer.resourcesPerNode.limits.cpu:"
                + " is a list, expected a quantity such as 2, 500m or 8Gi",
            "job.yaml:12: document 1: spec.trainer.resourcesPerNode.limits.memory:"
                + " is the boolean true, expected a quantity such as 2, 500m or 8Gi",
            "job.yaml:12: document 1: spec.trainer.resourcesPerNode.limits.gpu:"
                + " is the text \"8 Gi\", expected a quantity such as 2, 500m or 8Gi",
            "job.yaml:13: document 1: spec.trainer.resourcesPerNode.requests:"
                + " is the text \"none\", expected a mapping of fields",
            "job.yaml:16: document 1: spec.trainer.env[0].valueFrom.secretKeyRef.optional:"
                + " is the text \"maybe\", expected true or false, without quotes"),
        wrong(
            "a metadata of text",
            "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: demo\n",
            "job.yaml:3: document 1: metadata:"
                + " is the text \"demo\", expected a mapping of fields"),
        wrong(
            "an empty list item",
            JOB + "  trainer:\n    args:\n      - a\n      -\n",
            "job.yaml:11: document 1: spec.trainer.args[1]:"
                + " is an empty list item: fill it in or take it out"),
        wrong(
            "JSON with a mistake",
            "{\n\t\"kind\": \"TrainJob\",\n\t\"spec\": [}\n",
            "job.yaml:3: document 1: not JSON: Unexpected close marker '}':"
                + " expected ']' (for Array starting at line 3)"),
        wrong(
            "JSON with a wrong type, indented with tabs",
            "{\n\t\"apiVersion\": \"trainer.kubeflow.org/v1alpha1\",\n\t\"kind\": \"TrainJob\",\n"
                + "\t\"metadata\": {\n\t\t\"name\": 5}}",
            "job.yaml:5: document 1: metadata.name: is the number 5, expected text: put it in quotes"));
  }

  private static Arguments wrong(String what, String text, String... expected) {
    return Arguments.of(what, text, List.of(expected));
  }

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource
  void readsScalarsAsKubernetesDoes(String yaml, Object expected) {
    TrainerDocuments documents =
        TrainerDocuments.read("job.yaml", JOB + "  unknown: {value: " + yaml + "}\n");

    Map<String, Object> unknown = documents.trainJobs().get(0).getSpec().additionalProperties();
    assertThat(unknown)
        .extractingByKey("unknown")
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("value", expected);
  }

  static Stream<Arguments> readsScalarsAsKubernetesDoes() {
    return Stream.of(
        Arguments.of("yes", true),
        Arguments.of("Off", false),
        Arguments.of("y", "y"),
        Arguments.of("'yes'", "yes"),
        Arguments.of("0400", 256),
        Arguments.of("0o17", 15),
        Arguments.of("-0x1F", -31),
        Arguments.of("0b101", 5),
        Arguments.of("1_000", 1000),
        Arguments.of("0900", new BigDecimal("0900")),
        Arguments.of("12345678901", 12345678901L),
        Arguments.of("12345678901234567890", new BigInteger("12345678901234567890")),
        Arguments.of("2.50", new BigDecimal("2.50")),
        Arguments.of("1e3", new BigDecimal("1e3")),
        Arguments.of("1.2.3", "1.2.3"),
        Arguments.of("22:22", "22:22"),
        Arguments.of("2026-01-02", "2026-01-02"),
        Arguments.of("!!str 3", "3"));
  }

  @Test
  void expandsAnchorsAndMergeKeys() {
    TrainJob job =
        read(
            JOB
                + """
                  trainer:
                    env:
                      - &first {name: A, value: "1"}
                      - {<<: *first, name: B}
                      - {name: C, <<: [{value: "2"}, *first]}
                """);

    assertThat(job.getSpec().trainer().env())
        .extracting(variable -> variable.getName() + "=" + variable.getValue())
        .containsExactly("A=1", "B=1", "C=2");
  }

  @Test
  void refusesAliasesThatBlowATextUp() {
    StringBuilder text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      text.append("a%1$d: &a%1$d [*a%2$d, *a%2$d, *a%2$d, *a%2$d]\n".formatted(i, i - 1));
    }

    assertThatThrownBy(() -> TrainerDocuments.read("job.yaml", text.toString()))
        .isInstanceOf(InvalidDocumentsException.class)
        .hasMessageContaining("more than 200000 values: aliases blow it up");
  }

  @Test
  void warnsAboutFieldsWithoutEffect() {
    TrainerDocuments documents =
        TrainerDocuments.read(
            "job.yaml",
            JOB.replace("metadata:\n", "metadata:\n  creationTimestamp: null\n")
                + """
                  trainer:
                    numNode: 2
                    env:
                      - {name: A, valu: "1"}
                  initializer:
                  runtimePatches:
                    - manager: example.com/me
                      trainingRuntimeSpec:
                        template:
                          spec:
                            replicatedJobs:
                              - name: node
                                template: {spec: {template: {spec: {nodeSelektor: {a: b}, affinity: null}}}}
                """);

    assertThat(documents.warnings())
        .extracting(DocumentProblem::toString)
        .containsExactly(
            "job.yaml:13: document 1: spec.initializer:"
                + " is empty and counts as absent: write {} to mean an empty object",
            "job.yaml:10: document 1: spec.trainer.numNode:"
                + " is not a field of this API version: it has no effect",
            "job.yaml:12: document 1: spec.trainer.env[0].valu:"
                + " is not a field of this API version: it has no effect",
            "job.yaml:21: document 1: spec.runtimePatches[0].trainingRuntimeSpec.template.spec"
                + ".replicatedJobs[0].template.spec.template.spec.nodeSelektor:"
                + " is not a field of this API version: it has no effect");
  }

  private static TrainJob read(String text) {
    return TrainerDocuments.read("job.yaml", text).trainJobs().get(0);
  }
}
