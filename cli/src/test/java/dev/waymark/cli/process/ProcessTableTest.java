package dev.waymark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the processes are those of sh")
class ProcessTableTest {

  @Test
  void aProcessRunsUntilItEnds() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    ProcessHandle handle = process.toHandle();
    assertThat(ProcessTable.isRunning(handle)).isTrue();

    process.destroyForcibly().waitFor();

    assertThat(ProcessTable.isRunning(handle)).isFalse();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessThatHasEndedDoesNotRunThoughItsParentNeverAsks() throws IOException {
    // The shell becomes a program that knows of no child.
    Process parent =
        new ProcessBuilder("sh", "-c", "exec 3<&0; read line <&3 & echo $!; exec sleep 60").start();
    try (BufferedReader output = parent.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      await().until(() -> isSleep(parent.info()));
      assertThat(ProcessTable.isRunning(child)).isTrue();

      parent.getOutputStream().close();
      await().until(() -> !ProcessTable.isRunning(child));

      assertThat(child.isAlive()).as("it is listed still").isTrue();
      assertThat(ProcessTable.isRunning(parent.toHandle())).isTrue();
    } finally {
      parent.destroyForcibly();
    }
  }

  private static boolean isSleep(ProcessHandle.Info info) {
    return info.arguments().map(arguments -> arguments.length == 1).orElse(false);
  }
}
