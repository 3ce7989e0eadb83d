package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SilenceTest {

  @ParameterizedTest
  @CsvSource({
    "DISABLE_KUBEFLOW_INTEGRATION, TRUE, , DISABLE_KUBEFLOW_INTEGRATION is true",
    "WAYMARK_ENABLED, false, , WAYMARK_ENABLED is false",
    "WAYMARK_ENABLED, true, , ended before it trained",
    "OTHER, false, its token is not good, its token is not good",
    "WAYMARK_ENABLED, false, its token is not good, its token is not good",
  })
  void namesTheLikelyReason(String variable, String value, String refusal, String reason) {
    assertThat(Silence.explain(Map.of(variable, value), Optional.ofNullable(refusal)))
        .contains(reason);
  }
}
