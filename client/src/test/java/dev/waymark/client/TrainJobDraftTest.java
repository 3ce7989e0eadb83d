package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.Trainer;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainJobDraftTest {

  private static final RuntimeResource PLAIN = Samples.runtime("{numNodes: 1}", "");

  @Test
  void writesWhatIsSaid() {
    Submission submission =
        write(
            PLAIN,
            CustomTrainer.builder()
                .image("registry.example/app:1")
                .jar("/app.jar", "--epochs", "3")
                .numNodes(2)
                .resource("gpu", 4)
                .resource("memory", "32Gi")
                .env("A", "1")
                .envFromSecret("TOKEN", "hub", "token")
                .numProcPerNode(1)
                .build(),
            null,
            TrainOptions.builder()
                .name("iris")
                .label("team", "a")
                .annotation("why", "because")
                .activeDeadlineSeconds(3600)
                .suspend(true)
                .managedBy("kueue.x-k8s.io/multikueue")
                .build());

    assertThat(TrainerJson.writeIndented(submission.job()))
        .isEqualTo(
            """
            {
              "apiVersion" : "trainer.kubeflow.org/v1alpha1",
              "kind" : "TrainJob",
              "metadata" : {
                "annotations" : {
                  "why" : "because"
                },
                "labels" : {
                  "team" : "a"
                },
                "name" : "iris",
                "namespace" : "team-a"
              },
              "spec" : {
                "runtimeRef" : {
                  "name" : "rt",
                  "apiGroup" : "trainer.kubeflow.org",
                  "kind" : "ClusterTrainingRuntime"
                },
                "trainer" : {
                  "image" : "registry.example/app:1",
                  "command" : [ "java", "-jar", "/app.jar" ],
                  "args" : [ "--epochs", "3" ],
                  "env" : [ {
                    "name" : "A",
                    "value" : "1"
                  }, {
                    "name" : "TOKEN",
                    "valueFrom" : {
                      "secretKeyRef" : {
                        "key" : "token",
                        "name" : "hub"
                      }
                    }
                  } ],
                  "numNodes" : 2,
                  "resourcesPerNode" : {
                    "limits" : {
                      "nvidia.com/gpu" : "4",
                      "memory" : "32Gi"
                    },
                    "requests" : {
                      "nvidia.com/gpu" : "4",
                      "memory" : "32Gi"
                    }
                  },
                  "numProcPerNode" : 1
                },
                "suspend" : true,
                "activeDeadlineSeconds" : 3600,
                "managedBy" : "kueue.x-k8s.io/multikueue"
              }
            }""");
    assertThat(submission.warnings()).isEmpty();
  }

  @Test
  void whatIsNotSaidIsNotSent() {
    TrainJob job = write(PLAIN, null, null, TrainOptions.none()).job();

    assertThat(job.getSpec().trainer()).isNull();
    assertThat(job.getSpec().initializer()).isNull();
    assertThat(job.getSpec().suspend()).isNull();
    assertThat(job.name()).isEqualTo("random");
    assertThat(
            write(PLAIN, CustomTrainer.builder().image("").build(), null, TrainOptions.none())
                .job()
                .getSpec()
                .trainer())
        .isNull();
  }

  @Test
  void fetchesFirst() {
    RuntimeResource runtime =
        Samples.runtimeOf(
            "{numNodes: 1}",
            """
            - name: dataset-initializer
              template:
                metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}
                spec:
                  template:
                    spec:
                      containers:
                        - name: dataset-initializer
                          image: init
                          volumeMounts: [{name: initializer, mountPath: /workspace}]
            - name: node
              template:
                metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                spec: {template: {spec: {containers: [{name: node, image: img}]}}}
            """);
    JobInitializer dataset =
        new JobInitializer(StorageSource.HuggingFace.dataset("hf://org/iris"), null);

    assertThat(
            write(runtime, null, dataset, TrainOptions.none())
                .job()
                .getSpec()
                .initializer()
                .dataset()
                .storageUri())
        .isEqualTo("hf://org/iris");
    assertThat(problems(PLAIN, null, dataset, TrainOptions.none()))
        .singleElement()
        .asString()
        .contains("spec.initializer.dataset needs a job dataset-initializer");
  }

  /** kubeflow/trainer#3974: processes were counted by the GPUs of the TrainJob alone. */
  @Test
  void theRuntimesAcceleratorsAreSentWithAnyOtherResource() {
    RuntimeResource runtime =
        Samples.runtime(
            "{torch: {}}", "resources: {limits: {nvidia.com/gpu: '4', memory: 8Gi, cpu: '2'}}");
    Trainer more = trainer(runtime, CustomTrainer.builder().resource("memory", "64Gi"));
    Trainer other = trainer(runtime, CustomTrainer.builder().resource("npu", 2));

    assertThat(more.resourcesPerNode().getLimits())
        .isEqualTo(Map.of("memory", new Quantity("64Gi"), "nvidia.com/gpu", new Quantity("4")))
        .isEqualTo(more.resourcesPerNode().getRequests());
    assertThat(other.resourcesPerNode().getLimits())
        .isEqualTo(Map.of("huawei.com/Ascend910", new Quantity("2")));
  }

  /** kubeflow/trainer#2407: one process a CPU, each a JVM of its own. */
  @ParameterizedTest(name = "{0}, {1}, {2}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {torch: {}}   | java   |   | 1
          {torch: {}}   | java   | 4 | 4
          {torch: {}}   | python |   |
          {numNodes: 2} | java   |   |
          {mpi: {}}     | java   |   |
          """)
  void aJvmIsOneProcessUnderTorch(String policy, String command, Integer said, Integer sent) {
    CustomTrainer.Builder trainer = CustomTrainer.builder().command(command);
    if (said != null) {
      trainer.numProcPerNode(said);
    }

    assertThat(trainer(Samples.runtime(policy, ""), trainer).numProcPerNode()).isEqualTo(sent);
  }

  /** kubeflow/trainer#2650. */
  @Test
  void saysWhereResourcesReachTheLauncherOnly() {
    CustomTrainer trainer = CustomTrainer.builder().resource("gpu", 1).build();

    assertThat(
            write(Samples.runtime("{mpi: {}}", ""), trainer, null, TrainOptions.none()).warnings())
        .singleElement()
        .asString()
        .contains("to the launcher of ClusterTrainingRuntime rt only");
    assertThat(write(PLAIN, trainer, null, TrainOptions.none()).warnings()).isEmpty();
  }

  @Test
  void aCommandLeavesNoneOfTheRuntimesArguments() {
    RuntimeResource runtime = Samples.runtime("{numNodes: 1}", "args: [--of, runtime]");

    assertThat(trainer(runtime, CustomTrainer.builder().command("java")).args()).isEmpty();
    assertThat(trainer(PLAIN, CustomTrainer.builder().command("java")).args()).isNull();
  }

  @Test
  void aRuntimeWithItsOwnTrainerRunsNoPrograms() {
    RuntimeResource torchtune = Samples.runtime("{torch: {}}", "");
    torchtune.getMetadata().setLabels(Map.of("trainer.kubeflow.org/framework", "torchtune"));

    assertThat(
            problems(
                torchtune,
                CustomTrainer.builder().command("java").build(),
                null,
                TrainOptions.none()))
        .singleElement()
        .asString()
        .contains("has its trainer built in");
    assertThat(write(torchtune, null, null, TrainOptions.none()).job()).isNotNull();
  }

  /** The rules that every controller of this API has; kubeflow/trainer v2.3. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "A",
        "1a",
        "a_b",
        "a-",
        "a.b",
        "",
        "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggg"
      })
  void refusesNamesThatAreNone(String name) {
    assertThat(problems(PLAIN, null, null, TrainOptions.named(name)))
        .singleElement()
        .extracting(FieldProblem::field)
        .isEqualTo("metadata.name");
  }

  @ParameterizedTest(name = "{0} nodes: {1}")
  @CsvSource({"0, at least 1", "-1, at least 0"})
  void refusesNoNodes(int nodes, String why) {
    assertThat(
            problems(
                PLAIN, CustomTrainer.builder().numNodes(nodes).build(), null, TrainOptions.none()))
        .singleElement()
        .asString()
        .startsWith("spec.trainer.numNodes: ")
        .contains(why);
  }

  @Test
  void refusesWhatIsTooLongOrTooMuch() {
    CustomTrainer.Builder many = CustomTrainer.builder();
    IntStream.range(0, 129).forEach(i -> many.env("V" + i, "x"));

    assertThat(problems(PLAIN, many.build(), null, TrainOptions.none()))
        .singleElement()
        .asString()
        .startsWith("spec.trainer.env: has 129 items: at most 128");
    assertThat(
            problems(
                PLAIN,
                CustomTrainer.builder().image("x".repeat(501)).build(),
                null,
                TrainOptions.none()))
        .singleElement()
        .asString()
        .startsWith("spec.trainer.image: has 501 characters: at most 500");
    assertThat(
            problems(
                PLAIN,
                CustomTrainer.builder()
                    .command(IntStream.range(0, 129).mapToObj(i -> "x").toArray(String[]::new))
                    .build(),
                null,
                TrainOptions.none()))
        .singleElement()
        .asString()
        .startsWith("spec.trainer.command: has 129 items");
  }

  @Test
  void refusesNumbersBelowOne() {
    assertThat(
            problems(
                PLAIN,
                CustomTrainer.builder().numProcPerNode(0).build(),
                null,
                TrainOptions.builder().activeDeadlineSeconds(0).managedBy("me").build()))
        .extracting(FieldProblem::field)
        .containsExactlyInAnyOrder(
            "spec.trainer.numProcPerNode", "spec.activeDeadlineSeconds", "spec.managedBy");
  }

  @ParameterizedTest(name = "{1} on {0}")
  @CsvSource({
    "'{torch: {}}', PET_NNODES",
    "'{torch: {}}', PET_MASTER_ADDR",
    "'{mpi: {}}', OMPI_MCA_orte_default_hostfile",
    "'{xgboost: {}}', DMLC_TRACKER_URI",
  })
  void refusesVariablesThatThePolicySets(String policy, String variable) {
    assertThat(
            problems(
                Samples.runtime(policy, ""),
                CustomTrainer.builder().env(variable, "x").build(),
                null,
                TrainOptions.none()))
        .singleElement()
        .asString()
        .startsWith("spec.trainer.env")
        .contains(": " + variable + ": set by the ");
  }

  @Test
  void patchesReachWhatIsInTheRuntime() {
    RuntimePatch patch =
        new RuntimePatchBuilder()
            .pods("node", new PodSpecBuilder().addToNodeSelector("disk", "ssd").build())
            .build();

    assertThat(
            write(PLAIN, null, null, TrainOptions.builder().runtimePatch(patch).build())
                .job()
                .getSpec()
                .runtimePatches())
        .containsExactly(patch);
  }

  @Test
  void refusesPatchesThatReachNothingOrTooMuch() {
    assertThat(patched(new PodSpecBuilder().build(), "nodes", "waymark.dev/client"))
        .contains("the runtime has no job nodes");
    assertThat(
            patched(
                new PodSpecBuilder().addNewContainer().withName("main").endContainer().build(),
                "node",
                "waymark.dev/client"))
        .contains("the runtime has no container main");
    assertThat(
            patched(
                new PodSpecBuilder()
                    .addNewContainer()
                    .withName("node")
                    .addNewEnv()
                    .withName("A")
                    .withValue("1")
                    .endEnv()
                    .endContainer()
                    .build(),
                "node",
                "waymark.dev/client"))
        .contains("come from spec.trainer or spec.initializer");
    assertThat(
            patched(
                new PodSpecBuilder()
                    .addNewContainer()
                    .withName("node")
                    .withImage("other")
                    .endContainer()
                    .build(),
                "node",
                "waymark.dev/client"))
        .contains("can't be patched");
    assertThat(patched(new PodSpecBuilder().addToNodeSelector("a", "b").build(), "node", "me"))
        .contains("write a domain and a path");
  }

  @Test
  void refusesTwoPatchesOfOneManagerAndMoreThanSixteen() {
    TrainOptions.Builder many = TrainOptions.builder();
    IntStream.range(0, 17)
        .forEach(i -> many.runtimePatch(new RuntimePatchBuilder("a.example/" + i % 16).build()));

    assertThat(problems(PLAIN, null, null, many.build()))
        .extracting(FieldProblem::message)
        .anySatisfy(it -> assertThat(it).contains("at most 16 patches"))
        .anySatisfy(it -> assertThat(it).contains("stands twice"));
  }

  @Test
  void tellsAllThatIsWrongAtOnce() {
    assertThatThrownBy(
            () ->
                write(
                    PLAIN,
                    CustomTrainer.builder().resource("gpu", "1.5").numNodes(-1).build(),
                    new JobInitializer(StorageSource.HuggingFace.dataset("org/iris"), null),
                    TrainOptions.named("Iris")))
        .isInstanceOf(TrainerException.Invalid.class)
        .hasMessageContaining("metadata.name")
        .hasMessageContaining("spec.trainer.numNodes")
        .hasMessageContaining("spec.trainer.resourcesPerNode[gpu]")
        .hasMessageContaining("spec.initializer.dataset.storageUri");
  }

  /** Kubeflow's own controller runs these; Waymark's says that it doesn't. */
  @ParameterizedTest
  @ValueSource(strings = {"{flux: {}}", "{torch: {}}"})
  void refusesNothingThatOnlyWaymarksControllerCannotRun(String policy) {
    CustomTrainer trainer = CustomTrainer.builder().command("tune", "run").build();

    assertThat(write(Samples.runtime(policy, ""), trainer, null, TrainOptions.none()).job())
        .isNotNull();
  }

  @Test
  void checksATrainJobThatIsWrittenAlready() {
    TrainJob job = Samples.job("trainer: {numNodes: 0, env: [{name: PET_NNODES, value: x}]}", "");
    TrainerRuntime runtime = Samples.usable(Samples.runtime("{torch: {}}", ""));

    assertThatThrownBy(() -> TrainJobDraft.check(job, runtime, DeviceMap.standard()))
        .isInstanceOf(TrainerException.Invalid.class)
        .hasMessageContaining("TrainJob demo: spec.trainer.numNodes: is 0")
        .hasMessageContaining("PET_NNODES");
    assertThat(TrainJobDraft.check(Samples.job("", ""), runtime, DeviceMap.standard()).job().name())
        .isEqualTo("demo");
  }

  private static String patched(PodSpec pod, String job, String by) {
    RuntimePatch patch = new RuntimePatchBuilder(by).pods(job, pod).build();
    return problems(PLAIN, null, null, TrainOptions.builder().runtimePatch(patch).build())
        .toString();
  }

  private static Trainer trainer(RuntimeResource runtime, CustomTrainer.Builder trainer) {
    return write(runtime, trainer.build(), null, TrainOptions.none()).job().getSpec().trainer();
  }

  private static List<FieldProblem> problems(
      RuntimeResource runtime,
      CustomTrainer trainer,
      JobInitializer initializer,
      TrainOptions options) {
    return catchThrowableOfType(
            TrainerException.Invalid.class, () -> write(runtime, trainer, initializer, options))
        .problems();
  }

  private static Submission write(
      RuntimeResource runtime,
      CustomTrainer trainer,
      JobInitializer initializer,
      TrainOptions options) {
    return TrainJobDraft.write(
        Samples.usable(runtime),
        trainer,
        initializer,
        options,
        "team-a",
        "random",
        DeviceMap.standard());
  }
}
