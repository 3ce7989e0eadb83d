package dev.waymark.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionTest {

  @ParameterizedTest
  @CsvSource({
    // kubeconfig, mode, built, decision
    ",            ,         true,  RUN",
    ",            ,         false, SKIP",
    ",            '',       false, SKIP",
    ",            required, true,  RUN",
    ",            required, false, FAIL",
    "/a/config,   ,         false, RUN",
    "/a/config,   required, false, RUN",
  })
  void followsTheEnvironmentAndWhatIsBuilt(
      String kubeconfig, String mode, boolean built, Decision expected) {
    assertThat(Decision.of(kubeconfig, mode, () -> built)).isEqualTo(expected);
  }

  @Test
  void refusesAnUnknownMode() {
    assertThatThrownBy(() -> Decision.of(null, "requird", () -> true))
        .hasMessage("WAYMARK_TESTBED is 'requird'; it can be 'required', or not set");
  }
}
