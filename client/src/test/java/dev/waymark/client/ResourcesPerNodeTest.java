package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.FieldProblem;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourcesPerNodeTest {

  private final List<FieldProblem> problems = new ArrayList<>();

  @Test
  void requestsAreLimits() {
    ResourceRequirements both =
        ResourcesPerNode.both(read("GPU=2 Memory=32Gi storage=10Gi example.com/Fpga=1"));

    assertThat(problems).isEmpty();
    assertThat(both.getLimits())
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu", new Quantity("2"),
                "memory", new Quantity("32Gi"),
                "ephemeral-storage", new Quantity("10Gi"),
                "example.com/Fpga", new Quantity("1")))
        .isEqualTo(both.getRequests());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mig-1g.5gb=1 mig-2g.10gb=1            | several kinds, [nvidia.com/mig-1g.5gb, nvidia.com/mig-2g.10gb]
          gpu=1 nvidia.com/mig-1g.5gb=1         | whole GPUs and for MIG slices
          gpu=1 nvidia.com/gpu=2                | nvidia.com/gpu is asked for twice
          gpu=1.5                               | devices come as wholes
          gpu=-1                                | at least 0
          cpu=-2                                | at least 0
          cpu=many                              | is no quantity
          memory=8GiB                           | is no quantity
          example.com/x=500m                    | devices come as wholes
          foo=1                                 | "foo" is no resource
          gpus=1                                | "gpus" is no resource
          =1                                    | "" is no resource
          a_b/c=1                               | "a_b/c" is no resource
          amd.com/=1                            | "amd.com/" is no resource
          """)
  void refusesWhatNoNodeCanGive(String asked, String why) {
    read(asked);

    assertThat(problems).singleElement().asString().contains(why).startsWith("spec.trainer.");
  }

  @ParameterizedTest
  @CsvSource({
    "cpu=1.5",
    "cpu=500m",
    "memory=1e9",
    "gpu=4",
    "gpu=4.0",
    "gpu=0",
    "hugepages-2Mi=1Gi"
  })
  void takesWhatKubernetesTakes(String asked) {
    assertThat(read(asked)).hasSize(1);
    assertThat(problems).isEmpty();
  }

  /** As one does to be rid of the runtime's. */
  @Test
  void noneIsNoOtherKind() {
    read("gpu=0 mig-1g.5gb=1 mig-2g.10gb=0");

    assertThat(problems).isEmpty();
  }

  private Map<String, Quantity> read(String asked) {
    Map<String, String> amounts = new LinkedHashMap<>();
    for (String word : asked.split(" ", -1)) {
      amounts.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
    }
    return ResourcesPerNode.read(amounts, DeviceMap.standard(), problems::add);
  }
}
