package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainingRuntime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RuntimeValidatorTest {

  private static final String JOB =
      "replicatedJobs: [{name: node, template: {spec: {template: {spec: {containers: [{name:"
          + " node}]}}}}}]";

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refuses(String spec, List<String> expected) {
    assertThat(RuntimeValidator.create(Yaml.runtimeSpec(spec)))
        .extracting(refusal -> refusal.kind().status() + " " + refusal.field())
        .containsExactlyElementsOf(expected);
  }

  static Stream<Arguments> refuses() {
    return Stream.of(
        row("template: {spec: {" + JOB + "}}"),
        row("mlPolicy: {}", "403 spec.template.spec.replicatedJobs"),
        row("template: {spec: {}}", "403 spec.template.spec.replicatedJobs"),
        row("{}", "422 spec"),
        row("template: {}", "422 spec.template"),
        row(
            "template: {spec: {replicatedJobs: [{name: a, template: {}}]}}",
            "403 spec.template.spec.replicatedJobs[0].template.spec.template.spec"),
        row(
            "template: {spec: {" + JOB.replace("name: node, template", "name: '', template") + "}}",
            "403 spec.template.spec.replicatedJobs[0].name"),
        row("podGroupPolicy: {}", "403 spec.template.spec.replicatedJobs"),
        row("newer: {}", "403 spec.template.spec.replicatedJobs"),
        row("template: {metadata: {}}", "403 spec.template.spec.replicatedJobs"),
        row("template: {newer: 1}", "403 spec.template.spec.replicatedJobs"),
        row("mlPolicy: {torch: {}, mpi: {}}\ntemplate: {spec: {" + JOB + "}}", "422 spec.mlPolicy"),
        row(
            "template: {spec: {startupPolicy: {startupPolicyOrder: InOrder}, "
                + JOB.replace(
                    "name: node, template", "name: node, dependsOn: [{name: a}], template")
                + "}}",
            "422 spec.template.spec"),
        row(
            "template: {spec: {startupPolicy: {startupPolicyOrder: AnyOrder}, "
                + JOB.replace(
                    "name: node, template", "name: node, dependsOn: [{name: a}], template")
                + "}}"));
  }

  /** Policies that this version doesn't run are no reason to refuse a runtime, but to say so. */
  @Test
  void warns() {
    RuntimeResource runtime =
        Yaml.runtimeSpec("mlPolicy: {flux: {}}\ntemplate: {spec: {" + JOB + "}}");
    runtime.getMetadata().setLabels(Map.of("trainer.kubeflow.org/support", "deprecated"));

    assertThat(RuntimeValidator.create(runtime)).isEmpty();
    assertThat(RuntimeValidator.warnings(runtime))
        .containsExactly(
            "TrainingRuntime rt is deprecated: it will be removed in a later version",
            "TrainingRuntime rt: spec.mlPolicy.flux: this version runs plain, torch, mpi, jax and"
                + " xgboost policies: TrainJobs that use this runtime are refused");
    assertThat(RuntimeValidator.warnings(Yaml.runtime("{torch: {}}"))).isEmpty();
    assertThat(RuntimeValidator.warnings(new TrainingRuntime())).isEmpty();
  }

  @ParameterizedTest(name = "{0} to {1}")
  @MethodSource
  void refusesAChange(String before, String after, List<String> expected) {
    assertThat(
            RuntimeValidator.update(
                Yaml.runtimeSpec(jobSet(before)), Yaml.runtimeSpec(jobSet(after))))
        .extracting(refusal -> refusal.kind().status() + " " + refusal.field())
        .containsExactlyElementsOf(expected);
  }

  static Stream<Arguments> refusesAChange() {
    String network = "403 spec.template.spec.network";
    return Stream.of(
        change("", ""),
        change("", "ttlSecondsAfterFinished: 5"),
        change("", "network: {subdomain: a}", network),
        change("network: {subdomain: a}", "", network),
        change("network: {subdomain: a}", "network: {subdomain: b}", network.replace("403", "422")),
        change("network: {subdomain: a}", "network: {subdomain: a}, suspend: true"),
        change("successPolicy: {operator: All}", "", "403 spec.template.spec.successPolicy"),
        change(
            "failurePolicy: {maxRestarts: 1}",
            "failurePolicy: {maxRestarts: 2}",
            "422 spec.template.spec.failurePolicy"));
  }

  /** What the job {@code node} waits for, before and after. */
  @ParameterizedTest(name = "{0} to {1}: {2}")
  @CsvSource(
      nullValues = "-",
      delimiter = '|',
      value = {
        "[{name: a, status: Ready}] | [{name: a, status: Ready}]    | -",
        "[{name: a, status: Ready}] | [{name: a, status: Complete}] | 422",
        "[{name: a, status: Ready}] | -                             | -",
        "-                          | [{name: a, status: Ready}]    | -",
      })
  void holdsWhatAJobWaitsFor(String before, String after, String status) {
    assertThat(RuntimeValidator.update(waiting(before, "node"), waiting(after, "node")))
        .extracting(refusal -> refusal.kind().status() + " " + refusal.field())
        .isEqualTo(
            status == null
                ? List.of()
                : List.of(status + " spec.template.spec.replicatedJobs[1].dependsOn"));
    assertThat(RuntimeValidator.update(waiting(before, "node"), waiting(after, "other")))
        .as("of another job")
        .isEmpty();
  }

  private static RuntimeResource waiting(String dependsOn, String job) {
    String pod = "template: {spec: {template: {spec: {containers: [{name: node}]}}}}";
    String waits = dependsOn == null ? "" : "dependsOn: " + dependsOn + ", ";
    return Yaml.runtimeSpec(
        "template: {spec: {replicatedJobs: [{name: a, %s}, {name: %s, %s%s}]}}"
            .formatted(pod, job, waits, pod));
  }

  @Test
  void checksAChangeAsItChecksACreation() {
    RuntimeResource good = Yaml.runtimeSpec(jobSet(""));
    RuntimeResource bad = Yaml.runtimeSpec("mlPolicy: {}");

    assertThat(RuntimeValidator.update(good, bad)).hasSize(1);
    assertThat(RuntimeValidator.update(bad, bad)).as("nothing changes").isEmpty();
    bad.getMetadata().setDeletionTimestamp("2026-01-02T03:04:05Z");
    assertThat(RuntimeValidator.update(good, bad)).as("is being deleted").isEmpty();
  }

  private static String jobSet(String more) {
    return "template: {spec: {" + JOB + (more.isEmpty() ? "" : ", " + more) + "}}";
  }

  private static Arguments row(String spec, String... expected) {
    return Arguments.of(spec, List.of(expected));
  }

  private static Arguments change(String before, String after, String... expected) {
    return Arguments.of(before, after, List.of(expected));
  }
}
