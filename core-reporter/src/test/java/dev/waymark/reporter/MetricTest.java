package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "3, 3",
    "-3, -3",
    "0, 0",
    "-0.0, 0",
    "0.5, 0.5",
    "0.1, 0.1",
    "1e-3, 0.001",
    "1e-4, 1.0E-4",
    "12345678, 12345678",
    "16777217, 16777217",
    "9007199254740991, 9007199254740991",
    "9007199254740994, 9.007199254740994E15",
    "1e20, 1.0E20",
    "1e308, 1.0E308",
    "4.9e-324, 4.9E-324",
    "-1.7976931348623157E308, -1.7976931348623157E308"
  })
  void printsNumbersShort(double number, String text) {
    assertThat(new Metric("m", number).value()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(floats = {0.1f, 0.9333333f, 1.1754944E-38f, 3.4028235E38f, 123.456f})
  void printsADoubleThatIsAFloatAsTheFloat(float number) {
    assertThat(new Metric("m", number).value()).isEqualTo(Float.toString(number));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 2.35, 1 / 3.0, 1e100, -123456.789012345})
  void losesNothing(double number) {
    assertThat(Double.parseDouble(new Metric("m", number).value())).isEqualTo(number);
  }
}
