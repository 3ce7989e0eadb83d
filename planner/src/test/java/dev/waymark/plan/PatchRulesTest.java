package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.TrainJob;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PatchRulesTest {

  private static final String JOB = "trainingRuntimeSpec.template.spec.replicatedJobs[0]";

  /** Of refusals whose field is the whole list, as upstream's is. */
  private static final String INSIDE = "/spec.runtimePatches: [0].";

  private static final String POD = JOB + ".template.spec.template.spec";

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refuses(String patch, List<String> expected) {
    TrainJob job = patched("example.com/me", patch);

    assertThat(PatchRules.check(new PlanRequest(job, Yaml.runtime("{}"))))
        .extracting(refusal -> refusal.field() + ": " + refusal.message())
        .containsExactlyElementsOf(
            expected.stream()
                .map(it -> it.startsWith("/") ? it.substring(1) : "spec.runtimePatches[0]." + it)
                .toList());
  }

  static Stream<Arguments> refuses() {
    return Stream.of(
        row(pod("nodeSelector: {a: b}")),
        row(pod("containers: [{name: side, env: [{name: A, value: b}]}]")),
        row(pod("initContainers: [{name: prepare, env: [{name: A, value: b}]}]")),
        row(pod("affinity: null")),
        row(pod("containers: [{name: node, env: []}]")),
        row(
            "{template: {spec: {replicatedJobs: [{name: ghost}]}}}",
            INSIDE + JOB + ": the runtime has no job ghost"),
        row("{template: {spec: {replicatedJobs: [{}]}}}", JOB + ".name: is missing"),
        row(
            "{mlPolicy: {numNodes: 3}}",
            "trainingRuntimeSpec.mlPolicy: can't be patched, only template"),
        row(
            "{template: {spec: {replicatedJobs: [{name: node, replicas: 2}]}}}",
            JOB + ".replicas: can't be patched, only name, template"),
        row(
            "{template: {spec: {replicatedJobs: null}}}",
            "trainingRuntimeSpec.template.spec.replicatedJobs:"
                + " null would delete all of it: leave it out"),
        row(
            pod("hostNetwork: true"),
            POD
                + ".hostNetwork: can't be patched, only affinity, containers, imagePullSecrets,"
                + " initContainers, nodeSelector, schedulingGates, securityContext,"
                + " serviceAccountName, terminationGracePeriodSeconds, tolerations, volumes"),
        row(
            pod("containers: null"),
            POD + ".containers: null would delete all of it: leave it out"),
        row(
            pod("containers: [{name: side, image: x}]"),
            POD
                + ".containers[0].image: can't be patched, only env, name, securityContext,"
                + " volumeMounts"),
        row(
            pod("containers: [{name: ghost}, {name: prepare}]"),
            INSIDE + POD + ".containers[0]: the runtime has no container ghost",
            INSIDE + POD + ".containers[1]: the runtime has no container prepare"),
        row(
            pod("initContainers: [{name: node}]"),
            INSIDE + POD + ".initContainers[0]: the runtime has no init container node"),
        row(
            pod("containers: [{name: node, env: [{name: A, value: b}]}]"),
            INSIDE
                + POD
                + ".containers[0].env: the variables of container node come from spec.trainer or"
                + " spec.initializer: put them there"),
        row(
            pod("containers: [{name: side, env: [{value: b}], volumeMounts: [{name: v}]}]"),
            POD + ".containers[0].env[0].name: is missing",
            POD + ".containers[0].volumeMounts[0].mountPath: is missing"),
        row(
            pod("volumes: [{emptyDir: {}}], imagePullSecrets: [{}], schedulingGates: [{}]"),
            POD + ".volumes[0].name: is missing",
            POD + ".imagePullSecrets[0].name: is missing",
            POD + ".schedulingGates[0].name: is missing"),
        row(
            pod("terminationGracePeriodSeconds: -1"),
            POD + ".terminationGracePeriodSeconds: is -1: at least 0"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "example.com/ok              |",
        "kueue.x-k8s.io/manager      |",
        "localhost/a/b               |",
        "plain                       | \"plain\": write a domain and a path, as in example.com/my-tool",
        "Example.com/x               | \"Example.com/x\": write a domain and a path, as in example.com/my-tool",
        "example.com/                | \"example.com/\": write a domain and a path, as in example.com/my-tool",
        "/x                          | \"/x\": write a domain and a path, as in example.com/my-tool",
        "a..b/x                      | \"a..b/x\": write a domain and a path, as in example.com/my-tool",
      })
  void checksTheManager(String manager, String expected) {
    TrainJob job = patched(manager, "{}");

    assertThat(PatchRules.check(new PlanRequest(job, Yaml.runtime("{}"))))
        .extracting(Refusal::message)
        .containsExactlyElementsOf(expected == null ? List.of() : List.of(expected));
  }

  @Test
  void checksHowManyAndThatNoneStandsTwice() {
    String patches =
        String.join(
            "\n",
            IntStream.range(0, 17).mapToObj(i -> "  - manager: example.com/" + i / 2).toList());
    TrainJob job = Yaml.trainJob("runtimePatches:\n" + patches);

    List<Refusal> refusals = PatchRules.check(new PlanRequest(job, Yaml.runtime("{}")));

    assertThat(refusals).hasSize(9);
    assertThat(refusals.get(0).toString())
        .isEqualTo("TrainJob demo: spec.runtimePatches: at most 16 patches");
    assertThat(refusals.get(1).toString())
        .isEqualTo(
            "TrainJob demo: spec.runtimePatches[1]: \"example.com/0\" stands twice:"
                + " put its changes into one patch");
  }

  private static TrainJob patched(String manager, String patch) {
    return Yaml.trainJob(
        "runtimePatches:\n  - manager: " + manager + "\n    trainingRuntimeSpec: " + patch);
  }

  private static String pod(String spec) {
    return "{template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {"
        + spec
        + "}}}}}]}}}";
  }

  private static Arguments row(String patch, String... expected) {
    return Arguments.of(patch, List.of(expected));
  }
}
