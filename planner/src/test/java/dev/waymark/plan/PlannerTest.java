package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerTest {

  private static final String PATCHES =
      """
      runtimePatches:
        - manager: first.example.com/x
          trainingRuntimeSpec:
            template:
              metadata: {labels: {by: first, gone: soon}}
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec: {template: {spec: {nodeSelector: {by: first, only: first}}}}
        - manager: second.example.com/x
          trainingRuntimeSpec:
            template:
              metadata: {labels: {by: second, gone: null}, annotations: {a: "1"}}
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec: {template: {spec: {nodeSelector: {by: second}}}}
      """;

  @Test
  void saysWhatMoreOfTheTrainingWins() {
    RuntimeResource runtime =
        Yaml.runtime(
            "{numNodes: 5, torch: {}}",
            ", command: [java], args: [-jar, runtime.jar],"
                + " env: [{name: A, value: runtime}, {name: B, value: runtime},"
                + " {name: PET_NNODES, value: runtime}]");
    TrainJob job =
        Yaml.trainJob(
            PATCHES
                + """
                suspend: true
                trainer:
                  image: registry.example/own:2
                  args: [-jar, own.jar]
                  numNodes: 2
                  env: [{name: C, value: user}, {name: A, value: user}]
                """);

    RuntimePlan plan = Planner.plan(job, runtime);

    PodSet trainer = plan.trainer().orElseThrow();
    Container node = trainer.container("node").orElseThrow();
    assertThat(plan.suspend()).isTrue();
    assertThat(plan.labels()).containsOnly(entry("by", "second"));
    assertThat(plan.annotations()).containsOnly(entry("a", "1"));
    assertThat(trainer.podSpec().getNodeSelector())
        .containsOnly(entry("by", "second"), entry("only", "first"));
    assertThat(trainer.count()).isEqualTo(2);
    assertThat(trainer.job().template().getSpec().getParallelism()).isEqualTo(2);
    assertThat(node.getImage()).isEqualTo("registry.example/own:2");
    assertThat(node.getCommand()).containsExactly("java");
    assertThat(node.getArgs()).containsExactly("-jar", "own.jar");
    assertThat(node.getEnv())
        .extracting(EnvVar::getName)
        .containsExactly(
            "A",
            "B",
            "PET_NNODES",
            "C",
            "PET_NPROC_PER_NODE",
            "PET_NODE_RANK",
            "PET_MASTER_ADDR",
            "PET_MASTER_PORT");
    assertThat(node.getEnv())
        .extracting(EnvVar::getValue)
        .containsExactly("user", "runtime", "2", "user", "1", null, "demo-node-0-0.demo", "29500");
    assertThat(plan.warnings()).isEmpty();
  }

  @Test
  void isAFunctionThatSharesAndChangesNothing() {
    RuntimeResource runtime =
        Yaml.runtime(
            "{torch: {}}", ", env: [{name: A, value: '1'}], resources: {limits: {cpu: 1}}");
    TrainJob job =
        Yaml.trainJob(
            PATCHES
                + "trainer: {env: [{name: B, value: x}], resourcesPerNode: {limits: {cpu: 2}}}");
    String runtimeBefore = TrainerJson.write(runtime);
    String jobBefore = TrainerJson.write(job);

    RuntimePlan plan = Planner.plan(job, runtime);
    assertThat(Planner.plan(job, runtime)).isEqualTo(plan);

    Container node = plan.trainer().flatMap(trainer -> trainer.container("node")).orElseThrow();
    node.getEnv().forEach(variable -> variable.setValue("changed"));
    node.getEnv().clear();
    node.getResources().getLimits().clear();
    assertThat(TrainerJson.write(runtime)).isEqualTo(runtimeBefore);
    assertThat(TrainerJson.write(job)).isEqualTo(jobBefore);
  }

  @Test
  void keepsFieldsThatNobodyKnows() {
    RuntimeResource runtime =
        Yaml.runtime("{torch: {}}", ", newField: {deep: [1]}, resources: {newer: true}");

    Container node =
        Planner.plan(
                Yaml.trainJob("trainer: {image: x, resourcesPerNode: {limits: {cpu: 1}, own: 2}}"),
                runtime)
            .trainer()
            .flatMap(trainer -> trainer.container("node"))
            .orElseThrow();

    assertThat(TrainerJson.toMap(node)).containsEntry("newField", Map.of("deep", List.of(1)));
    assertThat(node.getResources().getAdditionalProperties())
        .containsEntry("newer", true)
        .containsEntry("own", 2);
  }

  @Test
  void tellsTheInitializersWhatToFetch() {
    String job =
        "- {name: %1$s, template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step:"
            + " %1$s}}, spec: {template: {spec: {containers: [{name: %1$s, env: [{name: A, value:"
            + " runtime}], volumeMounts: [{name: initializer, mountPath: /workspace}]}]}}}}}\n";
    RuntimeResource runtime =
        Yaml.runtimeSpec(
            "template:\n  spec:\n    replicatedJobs:\n"
                + (job.formatted("dataset-initializer") + job.formatted("model-initializer"))
                    .indent(6));
    TrainJob trainJob =
        Yaml.trainJob(
            """
            initializer:
              dataset:
                storageUri: hf://org/name
                env: [{name: A, value: user}, {name: STORAGE_URI, value: s3://own}]
                secretRef: {name: tokens}
              model: {storageUri: hf://org/model}
            """);

    RuntimePlan plan = Planner.plan(trainJob, runtime);

    assertThat(fields(plan, "dataset-initializer"))
        .containsEntry(
            "env",
            List.of(
                Map.of("name", "A", "value", "user"),
                Map.of("name", "STORAGE_URI", "value", "s3://own")))
        .containsEntry("envFrom", List.of(Map.of("secretRef", Map.of("name", "tokens"))));
    assertThat(fields(plan, "model-initializer"))
        .containsEntry(
            "env",
            List.of(
                Map.of("name", "A", "value", "runtime"),
                Map.of("name", "STORAGE_URI", "value", "hf://org/model")))
        .doesNotContainKey("envFrom");
  }

  private static Map<String, Object> fields(RuntimePlan plan, String name) {
    return TrainerJson.toMap(plan.podSet(name).orElseThrow().container(name).orElseThrow());
  }

  @Test
  void warnsWhenNothingTrains() {
    RuntimeResource runtime =
        Yaml.runtimeSpec(
            "template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec:"
                + " {containers: [{name: node}]}}}}}]}}");

    assertThat(Planner.plan(Yaml.trainJob("trainer: {image: x}"), runtime).warnings())
        .extracting(PlanWarning::message)
        .containsExactly(
            "spec.trainer has no effect: no job of TrainingRuntime rt has the label"
                + " trainer.kubeflow.org/trainjob-ancestor-step: trainer");
    assertThat(Planner.plan(Yaml.trainJob(""), runtime).warnings()).isEmpty();
    assertThat(Planner.plan(Yaml.trainJob(""), runtime).trainer()).isEmpty();
  }

  /** The runtime has 2 CPUs requested in this table. */
  @ParameterizedTest(name = "numProcPerNode {0}, resources {1}: {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "- | {}                                              | 2",
        "- | {limits: {cpu: 4}}                              | 2",
        "- | {requests: {cpu: 2500m}}                        | 3",
        "- | {requests: {cpu: 0}, limits: {cpu: 700m}}       | 1",
        "- | {requests: {cpu: 0}}                            | 1",
        "- | {limits: {nvidia.com/gpu: 2}}                   | auto",
        "- | {requests: {amd.com/GPU: 1}, limits: {cpu: 3}}  | auto",
        "- | {limits: {nvidia.com/gpu: 0}}                   | 2",
        "- | {limits: {nvidia.com/mig-1g.5gb: 1}}            | 2",
        "- | {limits: {huawei.com/Ascend910: 8}}             | 2",
        "3 | {limits: {nvidia.com/gpu: 2}}                   | 3",
      })
  void countsProcesses(Integer numProcPerNode, String resources, String expected) {
    String explicit = numProcPerNode == null ? "" : "numProcPerNode: " + numProcPerNode + ", ";
    RuntimePlan plan =
        Planner.plan(
            Yaml.trainJob("trainer: {" + explicit + "resourcesPerNode: " + resources + "}"),
            Yaml.runtime("{torch: {}}", ", resources: {requests: {cpu: 2}}"));

    assertThat(plan.trainer().flatMap(trainer -> trainer.container("node")).orElseThrow().getEnv())
        .filteredOn(variable -> variable.getName().equals("PET_NPROC_PER_NODE"))
        .extracting(EnvVar::getValue)
        .containsExactly(expected);
  }

  /** The first job that is called node may have no such container. */
  @Test
  void countsProcessesWhereTheTrainingIs() {
    RuntimeResource runtime =
        Yaml.runtimeSpec(
            "mlPolicy: {torch: {}}\ntemplate: {spec: {replicatedJobs: [{name: node, template: {spec:"
                + " {template: {spec: {containers: [{name: other}]}}}}}, {name: train, template:"
                + " {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}},"
                + " spec: {template: {spec: {containers: [{name: node, resources: {limits: {cpu:"
                + " 5}}}]}}}}}]}}");

    assertThat(env(Planner.plan(Yaml.trainJob(""), runtime)))
        .contains("PET_NPROC_PER_NODE=5", "PET_MASTER_ADDR=demo-train-0-0.demo");
  }

  /** What a TrainJob's variables become; upstream loses what its older types don't know. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "value: x                                                | value: x",
        "value: x, valueFrom: {secretKeyRef: {name: s, key: k}}  | valueFrom: {secretKeyRef: {name: s, key: k}}",
        "valueFrom: {fieldRef: {apiVersion: v1, fieldPath: p}}   | valueFrom: {fieldRef: {fieldPath: p}}",
        "valueFrom: {configMapKeyRef: {name: c, key: k}}         | valueFrom: {configMapKeyRef: {name: c, key: k}}",
        "valueFrom: {fileKeyRef: {volumeName: v, path: p, key: k}} | valueFrom: {fileKeyRef: {volumeName: v, path: p, key: k}}",
      })
  void handsVariablesOn(String variable, String expected) {
    RuntimePlan plan =
        Planner.plan(
            Yaml.trainJob("trainer: {env: [{name: A, " + variable + "}]}"), Yaml.runtime("{}"));

    Container node = plan.trainer().orElseThrow().container("node").orElseThrow();
    TrainJob same = Yaml.trainJob("trainer: {env: [{name: A, " + expected + "}]}");
    assertThat(node.getEnv()).isEqualTo(same.getSpec().trainer().env());
  }

  private static List<String> env(RuntimePlan plan) {
    return plan.trainer().orElseThrow().container("node").orElseThrow().getEnv().stream()
        .map(variable -> variable.getName() + "=" + variable.getValue())
        .toList();
  }

  /** Ports of the runtime, and what they are when rank 0's is open. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{containerPort: 29500, name: own}, {containerPort: 80, name: web} | {containerPort=29500}, {containerPort=80, name=web}",
        "{containerPort: 29500, protocol: TCP} | {containerPort=29500}",
        "{containerPort: 80}, {containerPort: 81} | {containerPort=80}, {containerPort=81}, {containerPort=29500}",
        "{containerPort: 29500, protocol: UDP} | {containerPort=29500, protocol=UDP}, {containerPort=29500}",
      })
  void opensThePortOfTheTrainer(String before, String after) {
    RuntimePlan plan =
        Planner.plan(Yaml.trainJob(""), Yaml.runtime("{torch: {}}", ", ports: [" + before + "]"));

    assertThat(
            TrainerJson.toMap(plan.trainer().orElseThrow().container("node").orElseThrow())
                .get("ports"))
        .hasToString("[" + after + "]");
  }

  private static Map.Entry<String, String> entry(String key, String value) {
    return Map.entry(key, value);
  }
}
