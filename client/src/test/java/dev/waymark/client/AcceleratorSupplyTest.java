package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.client.Finding.Verdict;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeStatus;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceleratorSupplyTest {

  @ParameterizedTest(name = "{0}, rt asks for {1}: {2} {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # statuses of the nodes, with ; between them                                      | limits of rt          | verdict | what is said
          {capacity: {nvidia.com/gpu: 4}, allocatable: {nvidia.com/gpu: 4, cpu: 8}}         | {nvidia.com/gpu: '1'} | OK      | {nvidia.com/gpu=4} on 1 nodes
          {capacity: {nvidia.com/gpu: 4}, allocatable: {nvidia.com/gpu: 3}}; {capacity: {nvidia.com/gpu: 2}, allocatable: {nvidia.com/gpu: 2}} | {} | OK | {nvidia.com/gpu=5} on 2 nodes
          {capacity: {huawei.com/Ascend910: 8}, allocatable: {huawei.com/Ascend910: 8}}     | {huawei.com/Ascend910: '8'} | OK | {huawei.com/Ascend910=8} on 1 nodes
          {capacity: {example.com/Fpga: 1}, allocatable: {example.com/Fpga: 1}}             | {}                    | OK      | {example.com/Fpga=1} on 1 nodes
          # No device is advertised
          {capacity: {cpu: 8}, allocatable: {cpu: 8}}                                       | {}                    | WARNING | none on 1 nodes
          {capacity: {rdma/hca: 1}, allocatable: {rdma/hca: 1}}                             | {}                    | WARNING | none on 1 nodes
          {}                                                                                | {cpu: '2'}            | WARNING | none on 1 nodes
          {capacity: {cpu: 8}, allocatable: {cpu: 8}}                                       | {nvidia.com/gpu: '1'} | WARNING | no node has nvidia.com/gpu, which rt asks for: is its device plugin installed?
          {capacity: {nvidia.com/gpu: 4}, allocatable: {nvidia.com/gpu: 4}}                 | {huawei.com/Ascend910: '8'} | WARNING | no node has huawei.com/Ascend910, which rt asks for
          # A device plugin that has gone leaves a 0
          {capacity: {nvidia.com/gpu: 0}, allocatable: {nvidia.com/gpu: 0}}                 | {nvidia.com/gpu: '1'} | WARNING | no node has nvidia.com/gpu, which rt asks for
          {capacity: {nvidia.com/gpu: 4}, allocatable: {nvidia.com/gpu: 0}}                 | {}                    | WARNING | none of 4 nvidia.com/gpu can be had: their device plugin calls them unhealthy, or is away
          """)
  void saysWhatThereIsAndWhatIsMissing(
      String nodes, String limits, Verdict verdict, String message) {
    TrainerRuntime runtime =
        Samples.usable(Samples.runtime("{numNodes: 1}", "resources: {limits: " + limits + "}"));
    List<Node> all = Arrays.stream(nodes.split(";", -1)).map(AcceleratorSupplyTest::node).toList();

    Finding found = AcceleratorSupply.of(all, List.of(runtime), DeviceMap.standard());
    assertThat(found.verdict()).isEqualTo(verdict);
    assertThat(found.message()).startsWith(message);
  }

  private static Node node(String status) {
    Node node = new Node();
    node.setStatus(Samples.yaml(status.strip(), NodeStatus.class));
    return node;
  }
}
