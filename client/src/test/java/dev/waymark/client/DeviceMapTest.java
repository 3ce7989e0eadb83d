package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ResourceRequirements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceMapTest {

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # resources                                                     | device     | count
          limits: {nvidia.com/gpu: 4}                                     | gpu        | 4
          limits: {cpu: 8, memory: 1Gi, nvidia.com/gpu: '2'}              | gpu        | 2
          limits: {google.com/tpu: 8}                                     | tpu        | 8
          limits: {nvidia.com/mig-1g.5gb: 1}                              | mig-1g.5gb | 1
          # huawei.com/Ascend910 is the only one that the SDK knows (kubeflow/sdk#336)
          limits: {huawei.com/Ascend910: 8}                               | npu        | 8
          limits: {huawei.com/Ascend910B: 4, cpu: 4}                      | npu        | 4
          limits: {huawei.com/Ascend310P: 1}                              | npu        | 1
          # AMD's guide asks for this one (kubeflow/website#4362)
          limits: {amd.com/gpu: 2}                                        | gpu        | 2
          limits: {cpu: 500m}                                             | cpu        | 500m
          # What no map knows passes through; the SDK fails for it, and with it every listing (kubeflow/sdk#516)
          limits: {example.com/Fpga: 3, cpu: 8}                           | example.com/Fpga | 3
          limits: {rdma/hca: 1, cpu: 8}                                   | cpu        | 8
          # Who asks for none is rid of the runtime's, and computes on something else
          limits: {nvidia.com/gpu: 0, nvidia.com/mig-1g.5gb: 1}           | mig-1g.5gb | 1
          '{limits: {nvidia.com/gpu: 0, cpu: 4}}'                         | cpu        | 4
          '{limits: {nvidia.com/gpu: 0, memory: 8Gi}}'                    | gpu        | 0
          limits: {memory: 8Gi}                                           | Unknown    | Unknown
          limits: {}                                                      | Unknown    | Unknown
          requests: {nvidia.com/gpu: 1}                                   | gpu        | 1
          '{limits: {memory: 1Gi}, requests: {cpu: 2}}'                   | cpu        | 2
          '{limits: {cpu: 4}, requests: {nvidia.com/gpu: 1}}'             | cpu        | 4
          """)
  void seesWhatAContainerComputesOn(String resources, String device, String count) {
    assertThat(DeviceMap.standard().of(resources(resources))).isEqualTo(new Device(device, count));
  }

  @Test
  void nothingIsKnownWithoutResources() {
    assertThat(DeviceMap.standard().of(null)).isEqualTo(Device.NONE);
    assertThat(Device.NONE.isKnown()).isFalse();
    assertThat(Device.NONE).hasToString("Unknown");
  }

  @ParameterizedTest
  @CsvSource({
    "gpu, nvidia.com/gpu",
    "GPU, nvidia.com/gpu",
    "npu, huawei.com/Ascend910",
    "tpu, google.com/tpu",
    "storage, ephemeral-storage",
    "Storage, ephemeral-storage",
    "mig-1g.5gb, nvidia.com/mig-1g.5gb",
    "MIG-1G.5GB, nvidia.com/mig-1g.5gb",
    "CPU, cpu",
    "Memory, memory",
    "Ephemeral-Storage, ephemeral-storage",
    "nvidia.com/gpu, nvidia.com/gpu",
    "example.com/Custom-NPU, example.com/Custom-NPU",
  })
  void knowsWhatPeopleCallResources(String said, String meant) {
    assertThat(DeviceMap.standard().resource(said)).isEqualTo(meant);
  }

  @Test
  void othersAreAddedWithoutChangingAnyMap() {
    DeviceMap standard = DeviceMap.standard();
    DeviceMap own =
        standard
            .with("example.com/fpga-*", "fpga")
            .with("example.com/nic", "")
            .withAlias("NPU", "huawei.com/Ascend910B");

    assertThat(own.of(resources("limits: {example.com/fpga-v2: 2, nvidia.com/gpu: 1}")))
        .isEqualTo(new Device("fpga", "2"));
    assertThat(own.of(resources("limits: {example.com/nic: 2, cpu: 1}")))
        .isEqualTo(new Device("cpu", "1"));
    assertThat(own.resource("npu")).isEqualTo("huawei.com/Ascend910B");
    assertThat(standard.of(resources("limits: {example.com/nic: 2, cpu: 1}")))
        .isEqualTo(new Device("example.com/nic", "2"));
    assertThat(standard.resource("npu")).isEqualTo("huawei.com/Ascend910");
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia.com/gpu, true",
    "nvidia.com/mig-1g.5gb, true",
    "example.com/unknown, true",
    "rdma/hca, false",
    "cpu, false",
    "ephemeral-storage, false",
  })
  void tellsAcceleratorsFromTheRest(String resource, boolean isAccelerator) {
    assertThat(DeviceMap.standard().isAccelerator(resource)).isEqualTo(isAccelerator);
  }

  @ParameterizedTest
  @CsvSource({"4, 3, 12", "500m, 3, 500m", "Unknown, 2, Unknown", "4.0, 2, 4.0", "0, 5, 0"})
  void onlyWholeNumbersAreMultiplied(String count, int nodes, String product) {
    assertThat(new Device("gpu", count).times(nodes).count()).isEqualTo(product);
  }

  private static ResourceRequirements resources(String yaml) {
    return Samples.yaml(yaml, ResourceRequirements.class);
  }
}
