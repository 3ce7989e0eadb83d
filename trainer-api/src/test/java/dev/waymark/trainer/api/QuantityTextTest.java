package dev.waymark.trainer.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTextTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "2, false, 2, '', ''",
    "-1.50, true, 1, 50, ''",
    "+007.5Gi, false, 7, 5, Gi",
    "0, false, 0, '', ''",
    "000m, false, 0, '', m",
    ".5, false, 0, 5, ''",
    "2., false, 2, '', ''",
    "1E, false, 1, '', E",
    "1E3, false, 1, '', E3",
    "1.5e-3, false, 1, 5, e-3",
    "0e+5, false, 0, '', e+5",
  })
  void takesApart(String text, boolean negative, String whole, String fraction, String suffix) {
    assertThat(QuantityText.parse(text))
        .contains(new QuantityText(negative, whole, fraction, suffix));
  }

  /** A CRD's pattern takes the first four. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e1.5",
        "1E.5",
        "2e99999999999999999999",
        "-1e+1.",
        "",
        ".",
        "+",
        "1e",
        "K",
        "1 Gi",
        "8GiB",
        "two"
      })
  void knowsWhatIsNone(String text) {
    assertThat(QuantityText.parse(text)).isEmpty();
  }
}
