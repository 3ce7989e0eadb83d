package dev.waymark.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForkedGpuQueryTest {
  private static final String TOOL = "Picked up JAVA_TOOL_OPTIONS: -javaagent:/a.jar=x,y\\n";
  private static final String JDK = "NOTE: Picked up JDK_JAVA_OPTIONS: -Da=1,2\\n";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "0,-1 | 0,-1",
        "2,12040,80,80 | 2,12040,80,80",
        TOOL + "2,12040,80,80 | 2,12040,80,80",
        JDK + "2,12040,80,80 | 2,12040,80,80",
        JDK + TOOL + "0,-1 | 0,-1",
        TOOL + "80,17179869184,1048576 | 80,17179869184,1048576",
        TOOL + "Invalid device: 7 | Invalid device: 7",
        "Picked up JAVA_TOOL_OPTIONS: -Xmx1g\\r\\n1,12040,90\\r\\n | 1,12040,90",
        "'' | ''",
      })
  void onlyTheLastLineIsTheAnswer(String output, String answer) {
    // As CudaUtils.execute (0.36.0) makes its result of the output.
    String[] fields = output.replace("\\n", "\n").replace("\\r", "\r").trim().split(",");

    assertThat(ForkedGpuQuery.withoutBanner(fields)).isEqualTo(answer.split(","));
  }
}
