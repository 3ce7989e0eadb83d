package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeResourcesTest {

  /** The CRD takes any exponent; no number may be written out with a billion digits. */
  @Timeout(60)
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "0, 0",
    "-3, 0",
    "1, 1",
    "1500m, 2",
    "2000m, 2",
    "1n, 1",
    "2147483647, 2147483647",
    "2147483648, 2147483647",
    "4E, 2147483647",
    "1e999999999, 2147483647",
    "1e-999999999, 1",
    "-1e999999999, 0",
  })
  void countsWholeOnes(String amount, int expected) {
    assertThat(NodeResources.cpus(limits("cpu", amount))).isEqualTo(expected);
    assertThat(NodeResources.gpus(limits("nvidia.com/gpu", amount))).isEqualTo(expected);
  }

  @Timeout(60)
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "8Gi, false",
    "1e999999999, false",
    "1e1000000000, true",
    "1e9999999999, true",
    "-1, false",
    "many, true",
  })
  void namesWhatIsNoQuantity(String amount, boolean wrong) {
    assertThat(NodeResources.wrongQuantities(limits("cpu", amount)).keySet())
        .isEqualTo(wrong ? Set.of("limits[cpu]") : Set.of());
  }

  @Timeout(60)
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "-1, true",
    "-1m, true",
    "-1e999999999, true",
    "-0, false",
    "0, false",
    "1, false",
    "many, false",
  })
  void namesWhatIsBelowZero(String amount, boolean below) {
    assertThat(NodeResources.belowZero(limits("cpu", amount)).keySet())
        .isEqualTo(below ? Set.of("limits[cpu]") : Set.of());
  }

  private static ResourceRequirements limits(String name, String amount) {
    return new ResourceRequirementsBuilder().addToLimits(name, Quantity.parse(amount)).build();
  }
}
