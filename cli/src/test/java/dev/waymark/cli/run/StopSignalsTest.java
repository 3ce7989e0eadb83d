package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.waymark.cli.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With shells as programs, and a terminal that stands still as after Ctrl-S. */
@Timeout(60)
class StopSignalsTest {

  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(4);
  private static final String RUN_ON = "echo $$ > pid; mv pid ready; while :; do sleep 0.1; done";

  @TempDir Path folder;

  private final CountDownLatch terminalGoesOn = new CountDownLatch(1);
  private final NodeGroup group = new NodeGroup(GRACE, this::tell);
  private final StopSignals signals = new StopSignals(group, PATIENCE, this::tell);

  @AfterEach
  void leaveNothingBehind() {
    terminalGoesOn.countDown();
    group.kill();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "HUP"})
  void asksTheProgramToEndThoughTheTerminalStandsStill(String signal) throws Exception {
    start("trap 'exit 5' TERM");
    receive(signal);

    assertThat(group.await()).isEqualTo(5);
  }

  @Test
  void leavesAProgramThatEndsAtCtrlCToItself() throws Exception {
    start("trap ': > told' TERM; trap 'sleep 0.5; exit 4' INT");
    interruptAll();

    assertThat(group.await()).isEqualTo(4);
    assertThat(folder.resolve("told")).doesNotExist();
  }

  @Test
  void asksAProgramThatRunsOnAfterSigintToEnd() throws Exception {
    start("trap 'exit 5' TERM; trap ': > told' INT");
    receive("INT");

    assertThat(group.await()).isEqualTo(5);
    assertThat(folder.resolve("told")).as("SIGINT went to us alone").doesNotExist();
  }

  @Test
  void leavesNothingBehindAParentThatEndsAtCtrlC() throws Exception {
    start("sleep 60 & echo $! > left; trap 'exit 4' INT");
    ProcessHandle left = processIn("left");
    interruptAll();

    assertThat(group.await()).isEqualTo(4);
    assertThat(ProcessTable.isRunning(left)).isFalse();
  }

  @Test
  void killsThoughTheTerminalStandsStill() throws Exception {
    start("trap '' TERM");
    receive("TERM");
    receive("TERM");

    assertThat(group.await()).isEqualTo(128 + 9);
  }

  @Test
  void stopsTheOthersOfAFailedNodeThoughTheTerminalStandsStill() throws Exception {
    group.start(
        List.of(shell("exit 3"), shell("trap '' TERM", RUN_ON)),
        new ProgramOutput(null, null, false),
        false);
    receive("TERM");
    receive("TERM");

    assertThat(group.await()).isPositive();
  }

  /** Each signal is told on a thread of its own: perhaps when Java has said that it can't start. */
  @ParameterizedTest
  @CsvSource({"INT, 130", "HUP, 129"})
  void aProgramThatASignalEndsBeforeItBeginsHasEndedByThatSignal(String signal, int exitCode)
      throws Exception {
    CannotStartException failure = failureOf(script("#!/no/such/interpreter"));
    receive(signal);

    assertThat(signals.exitCodeAfter(failure)).isEqualTo(exitCode);
  }

  @Test
  void aProgramThatCannotBeStartedStaysOneWithoutASignal() throws Exception {
    CannotStartException failure = failureOf(script("#!/no/such/interpreter"));

    assertThatThrownBy(() -> signals.exitCodeAfter(failure)).isSameAs(failure);
  }

  @Test
  void aProgramThatIsNotThereStaysOneWhateverTheSignal() {
    CannotStartException failure = failureOf(folder.resolve("no-such-program"));
    receive("INT");

    assertThatThrownBy(() -> signals.exitCodeAfter(failure)).isSameAs(failure);
  }

  private CannotStartException failureOf(Path program) {
    Node node = new Node("node", List.of(program.toString()), Map.of(), folder);
    return catchThrowableOfType(
        CannotStartException.class,
        () -> group.start(List.of(node), new ProgramOutput(null, null, false), false));
  }

  private Path script(String firstLine) throws IOException {
    Path file = Files.writeString(folder.resolve("script"), firstLine + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private void start(String traps) throws CannotStartException {
    group.start(List.of(shell(traps, RUN_ON)), new ProgramOutput(null, null, false), false);
    await().until(() -> Files.exists(folder.resolve("ready")));
  }

  /** As Ctrl-C does. */
  private void interruptAll() throws Exception {
    terminalGoesOn.countDown();
    signals.received("INT");
    String pid = Long.toString(processIn("ready").pid());
    assertThat(new ProcessBuilder("kill", "-INT", pid).start().waitFor()).isZero();
  }

  private ProcessHandle processIn(String file) throws IOException {
    long pid = Long.parseLong(Files.readString(folder.resolve(file)).strip());
    return ProcessHandle.of(pid).orElseThrow();
  }

  private Node shell(String... script) {
    return new Node(
        "node",
        List.of("sh", "-c", String.join("\n", script)),
        Map.of("PATH", System.getenv("PATH")),
        folder);
  }

  /** As the JVM does: each signal on a thread of its own. */
  private void receive(String signal) {
    new Thread(() -> signals.received(signal), "SIG" + signal).start();
  }

  private void tell(String line) {
    try {
      terminalGoesOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
