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
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
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

  /** Controllers merge by name: slices beside whole GPUs would be scheduled nowhere. */
  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "nothing",
      textBlock =
          """
          mig-1g.5gb | 1 | resourcesPerNode: each node gets nvidia.com/gpu: 4 of ClusterTrainingRuntime rt as well; say nvidia.com/gpu=0 if it is to have none
          gpu        | 2 | nothing
          memory     | 8Gi | nothing
          """)
  void saysWhichAcceleratorsOfTheRuntimeStay(String resource, String amount, String warning) {
    RuntimeResource runtime =
        Samples.runtime("{numNodes: 1}", "resources: {limits: {nvidia.com/gpu: '4', cpu: '2'}}");
    CustomTrainer trainer = CustomTrainer.builder().resource(resource, amount).build();

    assertThat(write(runtime, trainer, null, TrainOptions.none()).warnings())
        .isEqualTo(warning == null ? List.of() : List.of(warning));
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

  /** kubeflow/sdk#29: an image of one's own on an MPI runtime was started by torchrun. */
  @ParameterizedTest
  @ValueSource(strings = {"{mpi: {}}", "{torch: {}}", "{numNodes: 1}"})
  void anImageAloneLeavesTheRuntimesCommand(String policy) {
    Trainer own =
        trainer(
            Samples.runtime(policy, "command: [mpirun, train]"),
            CustomTrainer.builder().image("own:1"));

    assertThat(own.image()).isEqualTo("own:1");
    assertThat(own.command()).isNull();
    assertThat(own.args()).isNull();
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
