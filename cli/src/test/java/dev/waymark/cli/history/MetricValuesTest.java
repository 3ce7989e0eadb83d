package dev.waymark.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricValuesTest {

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          0.25      | 0.25
          -3        | -3
          +1e-8     | 1e-8
          .5        | 0.5
          5.        | 5
          1E308     | 1e308
          1e309     | NaN
          NaN       | NaN
          -Infinity | NaN
          inf       | NaN
          running   | -
          ''        | -
          0x10      | -
          1f        | -
          1,5       | -
          1 2       | -
          ١٢        | -
          """)
  void aValueIsANumberOrNotFiniteOrAWord(String value, Double expected) {
    assertThat(MetricValues.parse(value)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} counts {1}")
  @CsvSource(
      nullValues = "-",
      value = {"12,12", "12.0,12", "4.97,4", "1e3,1000", "-1,-", "NaN,-", "many,-", "1e300,-"})
  void aCountIsANumberOfAtLeastZeroWithoutItsFraction(String value, Long expected) {
    MetricValues values = MetricValues.of(Reports.status(1, "current_step", value));
    assertThat(values.count("current_step")).isEqualTo(expected);
  }
}
