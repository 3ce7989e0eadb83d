package dev.waymark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "setsid and bash are needed")
class StoppableProcessTest {

  /** Two of them take longer than a turn each on any machine. */
  private static final List<String> WORK =
      List.of("bash", "-c", "echo begun; for ((i = 0; i < 300000; i++)); do :; done; echo $SAID");

  @Test
  void commandsNeverRunAtTheSameTime() {
    long start = System.nanoTime();
    try (StoppableProcess one = new StoppableProcess(WORK, Map.of("SAID", "one"));
        StoppableProcess other = new StoppableProcess(WORK, Map.of("SAID", "other"))) {
      StoppableProcess.takeTurns(List.of(one, other));
      double elapsed = (System.nanoTime() - start) / 1e9;

      assertThat(one.ended().output()).isEqualTo("begun\none\n");
      assertThat(other.ended().output()).isEqualTo("begun\nother\n");
      assertThat(one.ended().cpuSeconds() + other.ended().cpuSeconds())
          .isPositive()
          .isLessThanOrEqualTo(elapsed);
    }
  }

  @Test
  void anEndedCommandTellsItsExitCodeAndItsOutput() {
    try (StoppableProcess process =
        new StoppableProcess(List.of("bash", "-c", "echo to say; exit 3"), Map.of())) {
      StoppableProcess.takeTurns(List.of(process));

      assertThat(process.ended().exitCode()).isEqualTo(3);
      assertThat(process.ended().output()).isEqualTo("to say\n");
      assertThatThrownBy(() -> process.ended().succeeded())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("bash -c echo to say; exit 3 ended with 3:\nto say\n");
    }
  }
}
