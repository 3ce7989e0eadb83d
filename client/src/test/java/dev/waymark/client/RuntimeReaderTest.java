package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainerJson;
import dev.waymark.trainer.api.TrainingRuntime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeReaderTest {

  private final RuntimeReader reader = new RuntimeReader(DeviceMap.standard());

  @ParameterizedTest(name = "{0}, {1}: {3} {4}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # policy                                   | container                                   | nodes | device  | count
          {numNodes: 3}                              | resources: {limits: {nvidia.com/gpu: 4}}    | 3     | gpu     | 12
          {numNodes: 2, torch: {}}                   | resources: {limits: {huawei.com/Ascend910: 8}} | 2  | npu     | 16
          # MPI says itself how many processes there are, each with a device
          {numNodes: 2, mpi: {numProcPerNode: 4}}    | resources: {limits: {nvidia.com/gpu: 1}}    | 2     | gpu     | 8
          {numNodes: 2}                              | resources: {limits: {cpu: 500m}}            | 2     | cpu     | 500m
          {numNodes: 2}                              |                                             | 2     | Unknown | Unknown
          {torch: {}}                                |                                             | 1     | Unknown | Unknown
          # The SDK fails for one without a policy, and with it every listing
          ''                                         | resources: {limits: {cpu: 2}}               | 1     | cpu     | 2
          """)
  void seesNodesAndDevices(
      String policy, String container, int nodes, String device, String count) {
    TrainerRuntime runtime =
        reader.read(Samples.runtime(policy, container == null ? "" : container));

    assertThat(runtime.numNodes()).isEqualTo(nodes);
    assertThat(runtime.device()).isEqualTo(new Device(device, count));
    assertThat(runtime.kind()).isEqualTo(RuntimeKind.CLUSTER_TRAINING_RUNTIME);
    assertThat(runtime.framework()).isEqualTo("djl");
    assertThat(runtime.image()).isEqualTo("img");
    assertThat(runtime.takesPrograms()).isTrue();
  }

  @Test
  void whatCanBeUsedIsNotSkipped() {
    assertThat(reader.hindrance(Samples.runtime("{numNodes: 1}", ""))).isEmpty();
  }

  @Test
  void saysWhyOneIsSkipped() {
    RuntimeResource unlabelled = Samples.runtime("{numNodes: 1}", "");
    unlabelled.getMetadata().setLabels(null);
    assertThat(reader.hindrance(unlabelled))
        .hasValue("has no label trainer.kubeflow.org/framework");

    assertThat(
            reader.hindrance(
                Samples.runtimeOf(
                    "",
                    "- {name: node, template: {spec: {template: {spec: {containers: [{name: node,"
                        + " image: img}]}}}}}")))
        .hasValueSatisfying(why -> assertThat(why).contains("no container named node in a job"));

    RuntimeResource unreadable =
        TrainerJson.fromMap(
            Map.of(
                "metadata",
                Map.of("name", "rt"),
                "spec",
                Map.of("mlPolicy", Map.of("numNodes", "x"))),
            TrainingRuntime.class);
    assertThat(reader.hindrance(unreadable))
        .hasValueSatisfying(why -> assertThat(why).contains("spec.mlPolicy.numNodes"));
  }
}
