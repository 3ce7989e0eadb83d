package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MpiPluginTest {

  /** Pods of the nodes' job, and the lines of the host file, whose first word is shortened here. */
  @ParameterizedTest(name = "policy {0}, numNodes {1}: {2} nodes, {3}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "numNodes: 1, mpi: {}                                             | - | 1 | node-0-0=1",
        "numNodes: 3, mpi: {numProcPerNode: 2}                            | - | 3 | node-0-0=2 node-0-1=2 node-0-2=2",
        "numNodes: 0, mpi: {}                                             | - | 1 | node-0-0=1",
        "mpi: {}                                                          | - | 1 | node-0-0=1",
        "numNodes: 3, mpi: {}                                             | 2 | 2 | node-0-0=1 node-0-1=1",
        "numNodes: 3, mpi: {}                                             | 0 | 0 | -",
        "numNodes: 1, mpi: {runLauncherAsNode: true}                      | - | 0 | launcher-0-0=1",
        "numNodes: 3, mpi: {runLauncherAsNode: true, numProcPerNode: 4}   | - | 2 | node-0-0=4 node-0-1=4 launcher-0-0=4",
        "numNodes: 1, mpi: {runLauncherAsNode: true}                      | 2 | 1 | node-0-0=1 launcher-0-0=1",
        "numNodes: 1, mpi: {runLauncherAsNode: true}                      | 0 | 0 | launcher-0-0=1",
      })
  void countsNodes(String policy, Integer numNodes, int nodes, String hosts) {
    TrainJob job = Yaml.trainJob(numNodes == null ? "" : "trainer: {numNodes: " + numNodes + "}");

    RuntimePlan plan = Planner.plan(job, runtime(policy, ""));

    assertThat(plan.podSet("node").orElseThrow().count()).isEqualTo(nodes);
    assertThat(plan.podSet("launcher").orElseThrow().count()).isEqualTo(1);
    assertThat(hostfile(plan))
        .isEqualTo(
            Optional.ofNullable(hosts)
                .orElse("")
                .replaceAll("(\\S+)=(\\d) ?", "demo-$1.demo slots=$2\n"));
  }

  @ParameterizedTest(name = "policy {0}, trainer {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                  | {}                                                        | 1",
        "{numProcPerNode: 3} | {}                                                        | 3",
        "{numProcPerNode: 3} | {numProcPerNode: 2}                                       | 2",
        "{}                  | {resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}          | 4",
        "{numProcPerNode: 3} | {resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}          | 3",
        "{}                  | {resourcesPerNode: {limits: {nvidia.com/gpu: 0}}}          | 1",
      })
  void countsProcesses(String policy, String trainer, String processes) {
    RuntimePlan plan =
        Planner.plan(Yaml.trainJob("trainer: " + trainer), runtime("mpi: " + policy, ""));

    assertThat(hostfile(plan)).isEqualTo("demo-node-0-0.demo slots=" + processes + "\n");
    assertThat(plan.podSet("launcher").flatMap(it -> it.container("node")).orElseThrow().getEnv())
        .filteredOn(it -> it.getName().equals("OMPI_MCA_orte_set_default_slots"))
        .extracting(it -> it.getValue())
        .containsExactly(processes);
  }

  @Test
  void givesResourcesToNodesOnly() {
    TrainJob job = Yaml.trainJob("trainer: {resourcesPerNode: {limits: {cpu: 2}}}");
    String labels = "metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}, ";

    assertThat(limits(Planner.plan(job, runtime("mpi: {}", labels)), "node")).hasSize(1);
    assertThat(limits(Planner.plan(job, runtime("mpi: {}", labels)), "launcher")).isEmpty();
    RuntimePlan both = Planner.plan(job, runtime("mpi: {runLauncherAsNode: true}", labels));
    assertThat(limits(both, "node")).hasSize(1);
    assertThat(limits(both, "launcher")).hasSize(1);
  }

  /** Runtimes whose trainer is neither the launcher nor called node; upstream knows them, too. */
  @Test
  void aTrainerOfAnotherNameIsANode() {
    String label = "metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}, ";
    String pod = "spec: {parallelism: 3, template: {spec: {containers: [{name: node, image: x}]}}}";
    RuntimeResource runtime =
        Yaml.runtimeSpec(
            "mlPolicy: {numNodes: 2, mpi: {}}\ntemplate: {spec: {replicatedJobs: [{name: launcher, template: {%2$s%1$s}}, {name: worker, template: {%2$s%1$s}}]}}"
                .formatted(pod, label));

    RuntimePlan plan =
        Planner.plan(Yaml.trainJob("trainer: {resourcesPerNode: {limits: {cpu: 2}}}"), runtime);

    assertThat(plan.podSet("worker").orElseThrow().count()).isEqualTo(2);
    assertThat(limits(plan, "worker")).hasSize(1);
    assertThat(plan.podSet("launcher").orElseThrow().count()).as("never more").isEqualTo(1);
    assertThat(limits(plan, "launcher")).isEmpty();
  }

  /** The launcher comes first in the template, and has the trainer's label or not. */
  @ParameterizedTest(name = "launcher {0}, limited to {1} with node {2}: {3} warnings")
  @CsvSource({
    "false, 1, 4, 0",
    "false, 4, 1, 1",
    "true, 1, 4, 1",
    "true, 4, 1, 1",
    "true, 1, 1, 1",
    "true, 4, 4, 0",
  })
  void warnsOfWhatNodesCannotHave(
      boolean launcherIsNode, int ofLauncher, int ofNode, int warnings) {
    String job =
        "{name: %s, template: {metadata: {labels: {%s}}, spec: {template: {spec: {containers:"
            + " [{name: node, resources: {limits: {cpu: %d}}}]}}}}}";
    String label = "trainer.kubeflow.org/trainjob-ancestor-step: trainer";
    RuntimeResource runtime =
        Yaml.runtimeSpec(
            "mlPolicy: {mpi: {runLauncherAsNode: %s}}\n".formatted(launcherIsNode)
                + "template: {spec: {replicatedJobs: ["
                + job.formatted("launcher", label, ofLauncher)
                + ", "
                + job.formatted("node", "", ofNode)
                + "]}}");
    TrainJob trainJob = Yaml.trainJob("trainer: {resourcesPerNode: {requests: {cpu: 2}}}");

    assertThat(TrainJobValidator.create(trainJob, runtime, ClusterSettings.NONE)).isEmpty();
    assertThat(TrainJobValidator.warnings(trainJob, runtime)).hasSize(warnings);
  }

  @Test
  void takesAnEmptyImplementationForTheDefault() {
    TrainJob job = Yaml.trainJob("");

    assertThat(Planner.plan(job, runtime("mpi: {mpiImplementation: ''}", "")))
        .isEqualTo(Planner.plan(job, runtime("mpi: {mpiImplementation: OpenMPI}", "")))
        .isEqualTo(Planner.plan(job, runtime("mpi: {}", "")));
  }

  /** The shortest line has 26 bytes here: {@code demo-node-0-0.demo slots=1}. */
  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "numNodes: 1          | 30000      | -",
        "numNodes: 1          | 50000      | asks for 50000 hosts",
        "numNodes: 1          | 2147483647 | asks for 2147483647 hosts",
        "numNodes: 2147483647 | -          | is missing, and the runtime asks for 2147483647 hosts",
        "numNodes: 2147483647 | 1          | -",
      })
  void refusesMoreHostsThanAConfigMapHolds(String policy, Integer numNodes, String expected) {
    TrainJob job = Yaml.trainJob(numNodes == null ? "" : "trainer: {numNodes: " + numNodes + "}");

    assertThat(
            TrainJobValidator.create(job, runtime(policy + ", mpi: {}", ""), ClusterSettings.NONE))
        .extracting(Refusal::toString)
        .containsExactlyElementsOf(
            expected == null
                ? List.of()
                : List.of(
                    "TrainJob demo: spec.trainer.numNodes: "
                        + expected
                        + ": their host file is larger than a ConfigMap may be (1 MiB)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mpi: {}", "mpi: {runLauncherAsNode: true}"})
  void refusesItsOwnVariables(String policy) {
    TrainJob job = Yaml.trainJob("trainer: {env: [{name: OMPI_MCA_plm_rsh_args, value: x}]}");

    assertThat(TrainJobValidator.create(job, runtime(policy, ""), ClusterSettings.NONE))
        .extracting(Refusal::toString)
        .containsExactly(
            "TrainJob demo: spec.trainer.env: OMPI_MCA_plm_rsh_args: set by the mpi policy, leave"
                + " them out");
  }

  private static String hostfile(RuntimePlan plan) {
    return plan.helpers().stream()
        .filter(HelperObject.Texts.class::isInstance)
        .map(HelperObject.Texts.class::cast)
        .filter(texts -> texts.name().equals("demo-mpi-hostfile"))
        .map(texts -> texts.data().get("hostfile"))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, ?> limits(RuntimePlan plan, String job) {
    return plan.podSet(job)
        .flatMap(podSet -> podSet.container("node"))
        .map(container -> container.getResources())
        .map(resources -> resources.getLimits())
        .orElseGet(Map::of);
  }

  private static RuntimeResource runtime(String policy, String launcher) {
    String pod = "spec: {template: {spec: {containers: [{name: node, image: x}]}}}";
    return Yaml.runtimeSpec(
        "mlPolicy: {%s}\ntemplate: {spec: {replicatedJobs: [{name: node, template: {%s}}, {name: launcher, template: {%s%s}}]}}"
            .formatted(policy, pod, launcher, pod));
  }
}
