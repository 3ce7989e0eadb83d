package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobSpec;
import dev.waymark.trainer.api.TrainingRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a TrainJob and its runtime must be, through the planner's front door. */
class RulesTest {

  private static final String ONE_JOB =
      "template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec:"
          + " {containers: [{name: node}]}}}}}]}}";

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refusesATrainJob(String spec, List<String> expected) {
    assertThat(refusals(Yaml.trainJob(spec), Yaml.runtime("{torch: {}}")))
        .containsExactlyElementsOf(
            expected.stream().map(it -> "TrainJob demo: spec." + it).toList());
  }

  static Stream<Arguments> refusesATrainJob() {
    return Stream.of(
        row("trainer: {numNodes: -1}", "trainer.numNodes: is -1: at least 0"),
        row("trainer: {numProcPerNode: 0}", "trainer.numProcPerNode: is 0: at least 1"),
        row(
            "trainer: {env: [{name: A}, {value: x}, {name: A}]}",
            "trainer.env[1].name: is missing",
            "trainer.env[2]: A stands twice: keep one"),
        row(
            "trainer: {resourcesPerNode: {limits: {cpu: '1e1000000000'}, requests: {memory: '-1'}}}",
            "trainer.resourcesPerNode.limits[cpu]: \"1e1000000000\" is no quantity:"
                + " write a number such as 2, 500m or 8Gi",
            "trainer.resourcesPerNode.requests[memory]: is -1: at least 0"),
        row(
            "trainer: {env: [{name: PET_NODE_RANK}, {name: PET_MASTER_ADDR}, {name: PET_X}]}",
            "trainer.env: PET_MASTER_ADDR, PET_NODE_RANK: set by the torch policy, leave them out"),
        row(
            "trainer: {command: [tune, run]}",
            "trainer.command: this version does not run torchtune"),
        row(
            "initializer: {dataset: {storageUri: no-scheme}, model: {env: [{name: ''}]}}",
            "initializer.dataset.storageUri: \"no-scheme\":"
                + " write scheme://..., as in hf://org/name",
            "initializer.model.env[0].name: is missing"),
        row(
            "managedBy: somebody/else",
            "managedBy: \"somebody/else\": one of"
                + " [kueue.x-k8s.io/multikueue, trainer.kubeflow.org/trainjob-controller]"));
  }

  /** Resources of the runtime, those of the TrainJob, and what can't be with both together. */
  @ParameterizedTest(name = "{0} with {1}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "requests: {cpu: 2}             | limits: {cpu: 1}                  | cpu, 2, is above its limit, 1",
        "limits: {memory: 4Gi}          | requests: {memory: 5000Mi}        | memory, 5000Mi, is above its limit, 4Gi",
        "requests: {cpu: 2}             | limits: {cpu: 2000m}              | -",
        "requests: {cpu: 2}             | {limits: {cpu: 1}, requests: {cpu: 1}} | -",
        "requests: {cpu: 2}             | limits: {memory: 1}               | -",
        "{requests: {cpu: 2}, limits: {cpu: 1}} | -                         | -",
      })
  void warnsOfRequestsAboveLimits(String ofRuntime, String ofJob, String expected) {
    RuntimeResource runtime = Yaml.runtime("{torch: {}}", ", resources: " + braced(ofRuntime));
    TrainJob job =
        Yaml.trainJob(ofJob == null ? "" : "trainer: {resourcesPerNode: " + braced(ofJob) + "}");

    assertThat(refusals(job, runtime)).as("upstream takes it").isEmpty();
    assertThat(TrainJobValidator.warnings(job, runtime))
        .isEqualTo(
            expected == null
                ? List.of()
                : List.of(
                    "spec.trainer.resourcesPerNode: the request of "
                        + expected
                        + ", together with those of the runtime: Kubernetes makes no such pod, so"
                        + " say both"));
  }

  private static String braced(String fields) {
    return fields.startsWith("{") ? fields : "{" + fields + "}";
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refusesARuntime(String spec, List<String> expected) {
    assertThat(refusals(Yaml.trainJob(""), Yaml.runtimeSpec(spec)))
        .containsExactlyElementsOf(
            expected.stream().map(it -> "TrainingRuntime rt: spec." + it).toList());
  }

  static Stream<Arguments> refusesARuntime() {
    String only = ": this version runs plain, torch, mpi, jax and xgboost policies";
    String jobs = "template.spec.replicatedJobs";
    return Stream.of(
        row("mlPolicy: {mpi: {}}\n" + ONE_JOB),
        row("mlPolicy: {jax: {}}\n" + ONE_JOB),
        row("mlPolicy: {xgboost: {}}\n" + ONE_JOB),
        row("mlPolicy: {flux: {}}\n" + ONE_JOB, "mlPolicy.flux" + only),
        row("mlPolicy: {paddle: {}}\n" + ONE_JOB, "mlPolicy.paddle" + only),
        row(
            "mlPolicy: {torch: {}, jax: {}}\n" + ONE_JOB,
            "mlPolicy: only one of the policies can be configured"),
        row(
            "mlPolicy: {mpi: {numProcPerNode: 0, mpiImplementation: Intel}}\n" + ONE_JOB,
            "mlPolicy.mpi.numProcPerNode: is 0: at least 1",
            "mlPolicy.mpi.mpiImplementation: \"Intel\": only OpenMPI"),
        row(
            "podGroupPolicy: {volcano: {networkTopology: {mode: medium}}}\n" + ONE_JOB,
            "podGroupPolicy.volcano.networkTopology.mode: \"medium\": hard or soft",
            "podGroupPolicy.volcano: this version schedules no gangs: take it out"),
        row(
            "podGroupPolicy: {coscheduling: {}, volcano: {}}\n" + ONE_JOB,
            "podGroupPolicy.coscheduling: this version schedules no gangs: take it out",
            "podGroupPolicy.volcano: this version schedules no gangs: take it out"),
        row("mlPolicy: {}", jobs + ": has no jobs, so nothing would run"),
        row(
            "template: {spec: {replicatedJobs: [{name: a}, {template: {spec: {}}}]}}",
            jobs + "[0].template.spec.template.spec: is missing: it holds the containers",
            jobs + "[1].name: is missing",
            jobs + "[1].template.spec.template.spec: is missing: it holds the containers"),
        row(
            job("a", "", "{containers: [{name: a}]}") + "}, {name: a" + rest("{containers: []}"),
            jobs + "[1].name: two jobs are called a"),
        row(
            job("node", "trainer", "{containers: [{name: other}]}")
                    .replace("name: node", "name: node, replicas: 2")
                + "}]}}",
            jobs + "[0].replicas: always 1 for a job labelled trainer",
            jobs
                + "[0].template.spec.template.spec.containers:"
                + " a job labelled trainer needs a container named node"),
        row(
            job("a", "", "{containers: [{name: a, resources: {limits: {cpu: '-1'}}}]}") + "}]}}",
            jobs
                + "[0].template.spec.template.spec.containers[0].resources.limits[cpu]:"
                + " is -1: at least 0"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refusesEnvInjectionTargets(String targets, List<String> expected) {
    RuntimeResource runtime = Yaml.runtime("{torch: {envInjection: {targets: " + targets + "}}}");

    assertThat(refusals(Yaml.trainJob(""), runtime))
        .containsExactlyElementsOf(
            expected.stream()
                .map(it -> "TrainingRuntime rt: spec.mlPolicy.torch.envInjection.targets" + it)
                .toList());
  }

  static Stream<Arguments> refusesEnvInjectionTargets() {
    return Stream.of(
        row(
            "[{jobName: ghost, containerNames: [side]}]",
            "[0]: job ghost with container side is not in the template"),
        row(
            "[{jobName: node, containerNames: [ghost, side]}]",
            "[0]: job node with container ghost is not in the template"),
        row("[{jobName: node}]", "[0].containerNames: is empty: name the containers"),
        row(
            "[{jobName: node, containerNames: [node]}]",
            "[0].containerNames: container node has the variables without that"),
        row(
            "[{jobName: node, containerNames: [side]}, {jobName: node, containerNames: [prepare]}]",
            "[1]: job node stands twice: put them into one"));
  }

  @Test
  void refusesPodNamesThatDoNotFit() {
    TrainJob job = Yaml.trainJob("trainer: {numNodes: 11}");
    job.getMetadata().setName("a".repeat(47));
    assertThat(refusals(job, Yaml.runtime("{}"))).isEmpty();

    job.getMetadata().setName("a".repeat(62 - "-node-0".length()));
    assertThat(refusals(job, nonIndexed())).as("these names are cut").isEmpty();

    job.getMetadata().setName("a".repeat(50));
    assertThat(refusals(job, Yaml.runtime("{}")))
        .containsExactly(
            "TrainJob "
                + "a".repeat(50)
                + ": metadata.name: the pods of job node would have names"
                + " of more than 63 characters: make the name 3 shorter");
  }

  /** JobSet asks whether the pod before the first one had a name. */
  @ParameterizedTest(name = "{0} nodes, {1} characters: {2}")
  @CsvSource({"1, 48, true", "1, 49, false", "0, 47, true", "0, 48, false"})
  void countsNamesAsJobSetDoes(int nodes, int length, boolean fits) {
    TrainJob job = Yaml.trainJob("trainer: {numNodes: " + nodes + "}");
    job.getMetadata().setName("a".repeat(length));

    assertThat(refusals(job, Yaml.runtime("{}"))).hasSize(fits ? 0 : 1);
  }

  private static RuntimeResource nonIndexed() {
    return Yaml.runtimeSpec(
        ONE_JOB.replace(
            "template: {spec: {template",
            "template: {spec: {completionMode: NonIndexed, template"));
  }

  /**
   * A label switches a runtime's own webhook off (webhook-validation: disabled), and upstream's for
   * TrainJobs does not make up for it.
   */
  @Test
  void takesAStoredRuntimeThatItsOwnWebhookDidNotSee() {
    RuntimeResource runtime =
        Yaml.runtimeSpec(
            job("node", "trainer", "{containers: [{name: other}]}")
                    .replace("name: node", "name: node, replicas: 2")
                + "}]}}");
    TrainJob job = Yaml.trainJob("");

    assertThat(TrainJobValidator.create(job, runtime, ClusterSettings.NONE)).isEmpty();
    assertThat(Planner.planAdmitted(job, runtime, ClusterSettings.NONE).podSets())
        .extracting(PodSet::replicas)
        .containsExactly(1);
    assertThat(RuntimeValidator.create(runtime)).hasSize(2);
  }

  /** So upstream has it: JobSet's Go type leaves a 0 out, and its CRD says 1 then. */
  @Test
  void noReplicasAreOne() {
    RuntimeResource runtime =
        Yaml.runtimeSpec(
            job("other", "none", "{containers: [{name: other}]}")
                    .replace("name: other,", "name: other, replicas: 0,")
                + "}]}}");

    assertThat(Planner.planAdmitted(Yaml.trainJob(""), runtime, ClusterSettings.NONE).podSets())
        .extracting(PodSet::replicas)
        .containsExactly(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b/c", "", "Team", "-a", "a-", "a.b", "../x"})
  void refusesANamespaceThatIsNoDnsLabel(String namespace) {
    TrainJob job = Yaml.trainJob("");
    job.getMetadata().setNamespace(namespace);

    assertThat(refusals(job, Yaml.runtime("{}")))
        .containsExactly(
            "TrainJob demo: metadata.namespace: \""
                + namespace
                + "\": at most 63 of a-z, 0-9 and -, no - at either end");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "9-lives", "team-a"})
  void takesANamespaceThatIsADnsLabel(String namespace) {
    TrainJob job = Yaml.trainJob("");
    job.getMetadata().setNamespace(namespace);

    assertThat(refusals(job, Yaml.runtime("{}"))).isEmpty();
  }

  /** A TrainJob that a program made may lack what the reader of files would have asked for. */
  @Test
  void refusesWhatOnlyAProgramCanMake() {
    assertThat(refusals(new TrainJob(), new TrainingRuntime()))
        .containsExactly(
            "TrainJob null: metadata.name: \"null\":"
                + " at most 63 of a-z, 0-9 and -, a letter first, no - at the end",
            "TrainJob null: spec: is missing",
            "TrainingRuntime null: spec: is missing");

    TrainJob unnamedRuntime = Yaml.trainJob("");
    unnamedRuntime.setSpec(new TrainJobSpec(null, null, null, null, null, null, null, null));
    assertThat(refusals(unnamedRuntime, Yaml.runtime("{}")))
        .containsExactly("TrainJob demo: spec.runtimeRef: is missing");
  }

  @Test
  void refusesAPatchOfAnotherType() {
    List<Object> gates = new ArrayList<>(List.of(Map.of("name", "a")));
    gates.add(null);
    assertThat(refusals(patched(Map.of("schedulingGates", gates)), Yaml.runtime("{}")))
        .containsExactly(
            "TrainJob demo: spec.runtimePatches[0].trainingRuntimeSpec.template.spec"
                + ".replicatedJobs[0].template.spec.template.spec.schedulingGates[1].name:"
                + " is missing");
    TrainJob ofAnotherType = patched(Map.of("tolerations", "none"));
    assertThat(refusals(ofAnotherType, Yaml.runtime("{}")))
        .containsExactly(
            "TrainJob demo: spec.runtimePatches[0].trainingRuntimeSpec.template.spec"
                + ".replicatedJobs[0].template.spec.template.spec.tolerations:"
                + " is the text \"none\", expected a list");
    assertThatThrownBy(
            () -> Planner.planAdmitted(ofAnotherType, Yaml.runtime("{}"), ClusterSettings.NONE))
        .isInstanceOf(PlanRefusedException.class)
        .hasMessageContaining("tolerations");
  }

  private static TrainJob patched(Map<String, Object> podSpec) {
    Map<String, Object> podTemplate = Map.of("template", Map.of("spec", podSpec));
    Map<String, Object> job = Map.of("name", "node", "template", Map.of("spec", podTemplate));
    RuntimePatch patch =
        new RuntimePatch(
            "example.com/me",
            null,
            Map.of("template", Map.of("spec", Map.of("replicatedJobs", List.of(job)))),
            null);
    TrainJob trainJob = Yaml.trainJob("");
    trainJob.setSpec(
        new TrainJobSpec(
            trainJob.getSpec().runtimeRef(), null, null, List.of(patch), null, null, null, null));
    return trainJob;
  }

  @Test
  void refusesARuntimeThatTheTrainJobDoesNotName() {
    RuntimeResource other = Yaml.runtime("{}");
    other.getMetadata().setName("other");

    assertThat(refusals(Yaml.trainJob(""), other))
        .containsExactly(
            "TrainJob demo: spec.runtimeRef: names another runtime than TrainingRuntime other");
  }

  private static List<String> refusals(TrainJob job, RuntimeResource runtime) {
    PlanRefusedException refused =
        catchThrowableOfType(PlanRefusedException.class, () -> Planner.plan(job, runtime));
    return refused == null
        ? List.of()
        : refused.refusals().stream().map(Refusal::toString).toList();
  }

  private static String job(String name, String ancestor, String pod) {
    return "template: {spec: {replicatedJobs: [{name: "
        + name
        + ", template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: '"
        + ancestor
        + "'}}, spec: {template: {spec: "
        + pod
        + "}}}";
  }

  private static String rest(String pod) {
    return ", template: {spec: {template: {spec: " + pod + "}}}}]}}";
  }

  private static Arguments row(String spec, String... expected) {
    return Arguments.of(spec, List.of(expected));
  }
}
