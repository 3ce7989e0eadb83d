package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.TrainJob;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every controller of the Trainer API refuses (kubeflow/trainer v2.3) is refused before a
 * cluster sees it, with the field's name.
 */
class SubmissionRulesTest {

  private static final String NODE =
      """
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec: {template: {spec: {containers: [{name: node, image: img}, {name: sidecar, image: s}]}}}
      """;

  /** By the names that the tables give them. */
  private static final Map<String, TrainerRuntime> RUNTIMES =
      Map.of(
          "plain", runtime("{numNodes: 1}", ""),
          "torch", runtime("{torch: {}}", ""),
          "mpi", runtime("{mpi: {}}", ""),
          "jax", runtime("{jax: {}}", ""),
          "xgboost", runtime("{xgboost: {}}", ""),
          "fetching",
              runtime(
                  "{numNodes: 1}",
                  initializer("dataset-initializer", "dataset-initializer", "initializer")
                      + initializer("model-initializer", "model-initializer", "initializer")),
          "misnamed",
              runtime("{numNodes: 1}", initializer("dataset-initializer", "x", "initializer")),
          "unmounted",
              runtime(
                  "{numNodes: 1}", initializer("dataset-initializer", "dataset-initializer", "x")));

  @ParameterizedTest(name = "{1} in {0}: {2}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # runtime | spec                                                     | field                          | why
          plain     | trainer: {numNodes: 0}                                   | spec.trainer.numNodes          | is 0: at least 1
          plain     | trainer: {numNodes: -1}                                  | spec.trainer.numNodes          | is -1: at least 0
          plain     | trainer: {numProcPerNode: 0}                             | spec.trainer.numProcPerNode    | is 0: at least 1
          plain     | trainer: {image: <501 letters>}                          | spec.trainer.image             | has 501 characters: at most 500
          plain     | trainer: {command: [<129 words>]}                        | spec.trainer.command           | has 129 items: at most 128
          plain     | trainer: {args: [<129 words>]}                           | spec.trainer.args              | has 129 items: at most 128
          plain     | trainer: {env: [<129 variables>]}                        | spec.trainer.env               | has 129 items: at most 128
          plain     | trainer: {env: [{name: A, value: x}, {name: A, value: y}]} | spec.trainer.env[1]          | A stands twice
          plain     | activeDeadlineSeconds: 0                                 | spec.activeDeadlineSeconds     | is 0: at least 1
          plain     | managedBy: me                                            | spec.managedBy                 | "me": one of
          # Initializers
          fetching  | initializer: {dataset: {storageUri: org/iris}}           | spec.initializer.dataset.storageUri | write scheme://
          fetching  | initializer: {model: {storageUri: hf://<2044 letters>}}  | spec.initializer.model.storageUri   | has 2049 characters: at most 2048
          fetching  | initializer: {dataset: {env: [<129 variables>]}}         | spec.initializer.dataset.env   | has 129 items: at most 128
          plain     | initializer: {dataset: {storageUri: hf://o/d}}           | spec.runtimeRef                | spec.initializer.dataset needs a job dataset-initializer
          plain     | initializer: {model: {storageUri: hf://o/m}}             | spec.runtimeRef                | spec.initializer.model needs a job model-initializer
          misnamed  | initializer: {dataset: {storageUri: hf://o/d}}           | spec.runtimeRef                | with a container dataset-initializer
          unmounted | initializer: {dataset: {storageUri: hf://o/d}}           | spec.runtimeRef                | that mounts the volume initializer
          # What the policies set themselves
          torch     | trainer: {env: [{name: PET_NNODES, value: x}]}           | spec.trainer.env               | PET_NNODES: set by the torch policy
          torch     | trainer: {env: [{name: PET_NPROC_PER_NODE, value: x}]}   | spec.trainer.env               | PET_NPROC_PER_NODE: set by the torch policy
          torch     | trainer: {env: [{name: PET_NODE_RANK, value: x}]}        | spec.trainer.env               | PET_NODE_RANK: set by the torch policy
          torch     | trainer: {env: [{name: PET_MASTER_ADDR, value: x}]}      | spec.trainer.env               | PET_MASTER_ADDR: set by the torch policy
          torch     | trainer: {env: [{name: PET_MASTER_PORT, value: x}]}      | spec.trainer.env               | PET_MASTER_PORT: set by the torch policy
          mpi       | trainer: {env: [{name: OMPI_MCA_orte_default_hostfile, value: x}]} | spec.trainer.env     | OMPI_MCA_orte_default_hostfile: set by the mpi policy
          xgboost   | trainer: {env: [{name: DMLC_TRACKER_URI, value: x}]}     | spec.trainer.env               | DMLC_TRACKER_URI: set by the
          jax       | trainer: {env: [{name: JAX_NUM_PROCESSES, value: x}]}    | spec.trainer.env               | JAX_NUM_PROCESSES: set by the jax policy
          # Whose patches there are
          plain     | runtimePatches: [<17 patches>]                           | spec.runtimePatches            | at most 16 patches
          plain     | runtimePatches: [{manager: me}]                          | spec.runtimePatches.manager    | write a domain and a path
          plain     | runtimePatches: [{trainingRuntimeSpec: {}}]              | spec.runtimePatches[0].manager | is missing
          plain     | runtimePatches: [{manager: a.example/b}, {manager: a.example/b}] | spec.runtimePatches[1] | stands twice
          """)
  void refuses(String runtime, String spec, String field, String why) {
    assertThat(problems(runtime, job(spec)))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.toString()).contains(why);
              assertThat(problem.field()).startsWith(field);
            });
  }

  @ParameterizedTest(name = "{1} {2} in {0}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # runtime | job                 | of its pods                                                      | why
          plain     | nodes               | {}                                                               | the runtime has no job nodes
          plain     | node                | {containers: [{name: main}]}                                     | the runtime has no container main
          plain     | node                | {initContainers: [{name: main}]}                                 | the runtime has no init container main
          plain     | node                | {containers: [{name: node, image: x}]}                           | image: can't be patched
          plain     | node                | {hostNetwork: true}                                              | hostNetwork: can't be patched
          plain     | node                | {containers: [{name: node, env: [{name: A, value: x}]}]}         | come from spec.trainer or spec.initializer
          fetching  | dataset-initializer | {containers: [{name: dataset-initializer, env: [{name: A, value: x}]}]} | come from spec.trainer or spec.initializer
          fetching  | model-initializer   | {containers: [{name: model-initializer, env: [{name: A, value: x}]}]} | come from spec.trainer or spec.initializer
          """)
  void refusesPatches(String runtime, String job, String pod, String why) {
    assertThat(problems(runtime, job(patch(job, pod))))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.toString()).contains(why);
              assertThat(problem.field()).startsWith("spec.runtimePatches");
            });
  }

  /** The last that passes, beside the first that doesn't. */
  @ParameterizedTest(name = "{1} in {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plain    | trainer: {numNodes: 1}
          plain    | trainer: {numProcPerNode: 1}
          plain    | trainer: {image: <500 letters>}
          plain    | trainer: {command: [<128 words>]}
          plain    | trainer: {args: [<128 words>]}
          plain    | trainer: {env: [<128 variables>]}
          plain    | activeDeadlineSeconds: 1
          plain    | managedBy: trainer.kubeflow.org/trainjob-controller
          plain    | managedBy: kueue.x-k8s.io/multikueue
          plain    | trainer: {env: [{name: PET_NNODES, value: x}]}
          torch    | trainer: {env: [{name: PET_OTHER, value: x}]}
          fetching | initializer: {dataset: {storageUri: hf://o/d}}
          fetching | initializer: {model: {storageUri: hf://<2043 letters>}}
          plain    | runtimePatches: [<16 patches>]
          """)
  void takes(String runtime, String spec) {
    assertThat(taken(runtime, job(spec))).isEqualTo("demo");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{nodeSelector: {disk: ssd}, terminationGracePeriodSeconds: 60}",
        "{containers: [{name: sidecar, env: [{name: A, value: x}]}]}",
        "{containers: [{name: node, volumeMounts: [{name: v, mountPath: /v}]}]}",
      })
  void takesPatches(String pod) {
    assertThat(taken("plain", job(patch("node", pod)))).isEqualTo("demo");
  }

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
    TrainJob job = job("");
    job.getMetadata().setName(name);

    assertThat(problems("plain", job))
        .singleElement()
        .extracting(FieldProblem::field)
        .isEqualTo("metadata.name");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a1",
        "a-b",
        "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggg"
      })
  void takesNames(String name) {
    TrainJob job = job("");
    job.getMetadata().setName(name);

    assertThat(taken("plain", job)).isEqualTo(name);
  }

  /** Its name; throws if it is refused. */
  private static String taken(String runtime, TrainJob job) {
    return TrainJobDraft.check(job, RUNTIMES.get(runtime), DeviceMap.standard()).job().name();
  }

  private static List<FieldProblem> problems(String runtime, TrainJob job) {
    return catchThrowableOfType(TrainerException.Invalid.class, () -> taken(runtime, job))
        .problems();
  }

  private static String patch(String job, String pod) {
    return "runtimePatches: [{manager: a.example/b, trainingRuntimeSpec: {template: {spec:"
        + " {replicatedJobs: [{name: "
        + job
        + ", template: {spec: {template: {spec: "
        + pod
        + "}}}}]}}}}]";
  }

  /** What would be long is written short in the tables. */
  private static TrainJob job(String spec) {
    String text = spec;
    for (int count : new int[] {16, 17, 128, 129, 500, 501, 2043, 2044}) {
      text =
          text.replace("<" + count + " letters>", "x".repeat(count))
              .replace("<" + count + " words>", listed(count, "w"))
              .replace("<" + count + " variables>", listed(count, "{name: V#, value: x}"))
              .replace("<" + count + " patches>", listed(count, "{manager: a.example/p#}"));
    }
    return Samples.job(text, "");
  }

  private static String listed(int count, String item) {
    return IntStream.range(0, count)
        .mapToObj(i -> item.replace("#", Integer.toString(i)))
        .collect(Collectors.joining(", "));
  }

  private static TrainerRuntime runtime(String policy, String jobsBefore) {
    return Samples.usable(Samples.runtimeOf(policy, jobsBefore + NODE));
  }

  private static String initializer(String name, String container, String volume) {
    return """
    - name: %1$s
      template:
        metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: %1$s}}
        spec: {template: {spec: {containers: [{name: %2$s, image: i, volumeMounts: [{name: %3$s, mountPath: /workspace}]}]}}}
    """
        .formatted(name, container, volume);
  }
}
