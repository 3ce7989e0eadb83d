package dev.waymark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "bash is needed")
class TimedProcessTest {

  @Test
  void aRunTellsItsTimesAndItsOutput() {
    TimedProcess run = TimedProcess.run(List.of("bash", "-c", "echo $SAID"), Map.of("SAID", "hi"));

    assertThat(run.succeeded().output()).isEqualTo("hi\n");
    assertThat(run.seconds()).isNotNegative();
    assertThat(run.cpuSeconds()).isNotNegative();
  }

  @Test
  void oneThatFailsIsNamedWithWhatItSaid() {
    TimedProcess run = TimedProcess.run(List.of("bash", "-c", "echo no >&2; exit 5"), Map.of());

    assertThatThrownBy(run::succeeded)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("bash -c echo no >&2; exit 5 ended with 5:\nno\n");
  }
}
