package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalQuantityTest {

  /**
   * What apimachinery 0.36 really writes (but for 1e-999999999, at which it is for minutes). The
   * first six are in what upstream's controller wrote, too.
   */
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "2.5, 2500m",
    "1000m, 1",
    "1024Mi, 1Gi",
    "1073741824, 1073741824",
    "2500m, 2500m",
    "8Gi, 8Gi",
    "0, 0",
    "0Gi, 0",
    "-0, 0",
    "1000, 1k",
    "1500, 1500",
    "100m, 100m",
    "0.1, 100m",
    "1.5Gi, 1536Mi",
    "8.500Gi, 8704Mi",
    "0.5Ki, 512",
    "1023Ki, 1023Ki",
    "1024Ki, 1Mi",
    "0.1Gi, 107374182400m",
    "1000Ti, 1000Ti",
    "8Ei, 9223372036854775807",
    "+1Gi, +1Gi",
    "+8Gi, 8Gi",
    "1e3, 1e3",
    "1e4, 10e3",
    "12E6, 12E6",
    "1E+3, 1E+3",
    "1E, 1E",
    "10E, 10E",
    "1.5e1, 1.5e1",
    "1.5e2, 150",
    "-1.5, -1500m",
    "-1.500, -1.500",
    "1.500, 1.500",
    "1.250k, 1.250k",
    "2.000, 2",
    "0.250, 250m",
    "1000.5, 1000500m",
    "+2, +2",
    "007, 007",
    ".5, 500m",
    "2., 2.",
    "1n, 1n",
    "0.1n, 1n",
    "1000000n, 1m",
    "99999999999999999999, 99999999999999999999",
    "1e999999999, 1e999999999",
    "1e1000000000, 10e999999999",
    "1e-999999999, 1e-9",
    "0e999999999, 0",
    "many, many",
    "1 Gi, 1 Gi",
  })
  void spellsAsKubernetesDoes(String text, String expected) {
    assertThat(CanonicalQuantity.of(text)).isEqualTo(expected);
  }
}
