package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitDecisionTest {

  @ParameterizedTest(name = "{1} wanted, {0}: {2}")
  @CsvSource({
    "CREATED,   COMPLETE,        GO_ON",
    "PENDING,   COMPLETE,        GO_ON",
    "RUNNING,   COMPLETE,        GO_ON",
    "SUSPENDED, COMPLETE,        GO_ON",
    "COMPLETE,  COMPLETE,        REACHED",
    "FAILED,    COMPLETE,        HOPELESS",
    "FAILED,    COMPLETE FAILED, REACHED",
    "FAILED,    RUNNING,         HOPELESS",
    "COMPLETE,  FAILED,          HOPELESS",
    "PENDING,   RUNNING,         GO_ON",
    "RUNNING,   RUNNING,         REACHED",
    "COMPLETE,  RUNNING,         REACHED",
    "RUNNING,   PENDING,         REACHED",
    "RUNNING,   SUSPENDED,       GO_ON",
    "COMPLETE,  SUSPENDED,       HOPELESS",
    "SUSPENDED, SUSPENDED,       REACHED",
    "SUSPENDED, RUNNING,         GO_ON",
    "SUSPENDED, CREATED,         GO_ON",
  })
  void decides(TrainingState state, String wanted, WaitDecision decision) {
    Set<TrainingState> states =
        Arrays.stream(wanted.split(" ", -1))
            .map(TrainingState::valueOf)
            .collect(Collectors.toSet());

    assertThat(WaitDecision.of(state, states)).isEqualTo(decision);
  }
}
