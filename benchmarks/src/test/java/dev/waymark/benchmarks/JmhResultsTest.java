package dev.waymark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.benchmarks.JmhResults.Case;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JmhResultsTest {

  @ParameterizedTest
  @CsvSource({
    "StepBenchmark,                              StepBenchmark, '',       ''",
    "StepBenchmark:no agent=,                    StepBenchmark, no agent, ''",
    "StepBenchmark:an agent=-javaagent:/a.jar=x, StepBenchmark, an agent, -javaagent:/a.jar=x",
  })
  void aCaseNamesABenchmarkAndAWayToRunIt(
      String text, String benchmark, String label, String jvmArgument) {
    assertThat(Case.parse(text)).isEqualTo(new Case(benchmark, label, jvmArgument));
  }

  @Test
  void aWayWithoutAnEqualsSignIsRefused() {
    assertThatThrownBy(() -> Case.parse("StepBenchmark:no agent"))
        .hasMessage(
            "a case is BENCHMARK or BENCHMARK:LABEL=JVM_ARGUMENT, not StepBenchmark:no agent");
  }
}
