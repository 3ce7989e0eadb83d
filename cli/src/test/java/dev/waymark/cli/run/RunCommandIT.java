package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.cli.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs commands with the packaged {@code waymark} command. */
class RunCommandIT {

  @TempDir Path folder;

  private Waymark waymark;

  @BeforeEach
  void nothingRunsYet() {
    waymark = null;
  }

  @AfterEach
  void leaveNothingBehind() {
    if (waymark != null) {
      waymark.process().descendants().forEach(ProcessHandle::destroyForcibly);
      waymark.process().destroyForcibly();
    }
  }

  @Test
  void passesOutputInputAndExitCodeThrough() throws Exception {
    start(Waymark.program("out", "größer", "err", "oh", "in", "agent", "exit", "7"));
    waymark.type("typed\n");
    Waymark.Ended ended = waymark.awaitEnd();

    assertThat(ended.exitCode()).isEqualTo(7);
    assertThat(ended.out()).isEqualTo("größer\nin typed\nagent is here\n");
    assertThat(ended.err().lines()).first().isEqualTo("oh");
    assertThat(ended.err()).contains("[waymark] program exited with 7 after");
  }

  @Test
  void givesAProgramWhatAPodWouldHave() throws Exception {
    start(
        Waymark.program(
            "env", "KUBEFLOW_TRAINER_SERVER_URL", "env", "WAYMARK_INTERVAL", "permissions"));
    Waymark.Ended ended = waymark.awaitEnd();

    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out().lines().toList())
        .satisfiesExactly(
            url ->
                assertThat(url)
                    .matches(
                        ".*=https://127.0.0.1:\\d+/apis/trainer.kubeflow.org/v1alpha1"
                            + "/namespaces/default/trainjobs/scriptedprogram/status"),
            interval -> assertThat(interval).isEqualTo("WAYMARK_INTERVAL=1"),
            mountFolder -> assertThat(mountFolder).isEqualTo("rwx------"),
            generation -> assertThat(generation).isEqualTo("rwx------"),
            token -> assertThat(token).isEqualTo("rw-------"),
            ca -> assertThat(ca).isEqualTo("rw-------"));
  }

  @Test
  void reachesJavaBehindAScriptByItsEnvironment() throws Exception {
    start(List.of("sh", "-c", String.join(" ", Waymark.program("agent"))));
    Waymark.Ended ended = waymark.awaitEnd();

    assertThat(ended.out()).isEqualTo("agent is here\n");
  }

  @Test
  void recordsAndShowsWhatIsReported() throws Exception {
    Path record = folder.resolve("record.jsonl");
    Files.writeString(record, "{\"earlier\":true}\n");
    waymark =
        Waymark.start(
            folder,
            command(
                List.of("--record", record.toString()),
                Waymark.program("report", "10", "report", "101", "report", "60")));
    Waymark.Ended ended = waymark.awaitEnd();

    assertThat(ended.out()).isEqualTo("reported 10: 200\nreported 101: 422\nreported 60: 200\n");
    List<JsonNode> lines = lines(record);
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0).path("earlier").asBoolean()).isTrue();
    assertThat(lines.get(1).path("trainJob").asText()).isEqualTo("default/scriptedprogram");
    assertThat(lines.get(1).path("trainerStatus").path("progressPercentage").asInt()).isEqualTo(10);
    assertThat(lines.get(2).path("trainerStatus").path("progressPercentage").asInt()).isEqualTo(60);
    assertThat(lines.get(2).path("trainerStatus").path("metrics").path(0).path("value").asText())
        .isEqualTo("0.5");
    assertThat(Instant.parse(lines.get(2).path("receivedAt").asText()))
        .isBetween(Instant.now().minus(Duration.ofMinutes(1)), Instant.now());
    assertThat(ended.err())
        .contains("[waymark] 10%, loss 0.5, bad[2J x\n")
        .contains("[waymark] 60%, loss 0.5, bad[2J x\n")
        .doesNotContain("\u001b");
  }

  @Test
  void saysWhyNothingWasReported() throws Exception {
    start(List.of("true"));

    assertThat(waymark.awaitEnd().err()).contains("Nothing was reported. Perhaps ");
  }

  @Test
  void saysWhyTheLastReportWasRefused() throws Exception {
    start(Waymark.program("report", "101"));

    assertThat(waymark.awaitEnd().err())
        .contains("No report got in")
        .contains("should be less than or equal to 100");
  }

  @ParameterizedTest
  @CsvSource({
    "no-such-program, 127, Command not found: no-such-program",
    "./no/such/program, 127, Command not found: ./no/such/program",
    "/etc/passwd, 126, Not executable: /etc/passwd",
    "/, 126, Not a program but a directory: /",
  })
  void saysWhyACommandCannotStart(String program, int exitCode, String message) throws Exception {
    start(List.of(program));
    Waymark.Ended ended = waymark.awaitEnd();

    assertThat(ended.exitCode()).isEqualTo(exitCode);
    assertThat(ended.err()).contains("[waymark] " + message);
  }

  @ParameterizedTest
  @CsvSource({
    "TERM, SIGTERM: asked the program to end",
    "INT, SIGINT: the program has 5 s to end by itself",
    "HUP, SIGHUP: asked the program to end",
  })
  void endsTheProgramGently(String signal, String message) throws Exception {
    start(Waymark.program("report", "40", "report-when-ended", "41", "out", "ready", "wait"));
    awaitOutput("ready");
    waymark.signal(signal);
    Waymark.Ended ended = waymark.awaitEnd();

    assertThat(ended.exitCode()).isEqualTo(143);
    assertThat(ended.out()).contains("reported 41: 200");
    assertThat(ended.err())
        .contains("[waymark] " + message)
        .contains("[waymark] 41%")
        .contains("[waymark] program ended by signal 15");
  }

  @Test
  void leavesNoProgramBehindAShell() throws Exception {
    start(
        List.of("sh", "-c", String.join(" ", Waymark.program("out", "ready", "wait")) + "; true"));
    awaitOutput("ready");
    List<ProcessHandle> below = waymark.process().descendants().toList();
    waymark.signal("TERM");
    waymark.awaitEnd();

    assertThat(below).hasSizeGreaterThanOrEqualTo(2).noneMatch(ProcessTable::isRunning);
  }

  @Test
  void killsAtTheSecondSignal() throws Exception {
    start(List.of("sh", "-c", "trap '' TERM INT; echo ready; while :; do sleep 1; done"));
    awaitOutput("ready");
    waymark.signal("INT");
    await().until(() -> waymark.err().contains("SIGINT: "));
    assertThat(waymark.process().isAlive()).isTrue();
    waymark.signal("INT");

    assertThat(waymark.awaitEnd().exitCode()).isEqualTo(137);
  }

  @Test
  void renewsTheTokenWhileTheProgramRuns() throws Exception {
    waymark =
        Waymark.startClass(
            folder,
            ShortTokens.class,
            Stream.concat(
                    Stream.of(
                        MarkingAgent.jarIn(folder).toString(),
                        folder.resolve("state").toString(),
                        "5"),
                    Waymark.program(
                        "until-token-changes",
                        "report",
                        "1",
                        "until-old-token-is-refused",
                        "until-token-changes",
                        "report",
                        "2")
                        .stream())
                .toList());
    Waymark.Ended ended = waymark.awaitEnd();

    assertThat(ended.out()).contains("reported 1: 200", "old token: 403", "reported 2: 200");
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void deletesTheTokenInTheEnd() throws Exception {
    start(Waymark.program("env", "KUBEFLOW_TRAINER_SERVER_TOKEN"));
    Path token = Path.of(waymark.awaitEnd().out().strip().replaceFirst(".*=", ""));

    assertThat(token.getParent()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run | Say what to run",
        "run java -jar a.jar | Usage: waymark run",
        "run java -jar a.jar | '-jar'. A command goes behind two dashes: -- COMMAND",
        "runn -- true | There is no command runn; there is one, run",
        "run java | A command goes behind two dashes: -- java",
        "run a.yaml -- java | Either a command or YAML files",
        "run --port 99999 -- true | must be a port number between 0 and 65535, not \"99999\"",
        "run --port abc -- true | must be a port number between 0 and 65535, not \"abc\"",
        "run --record= -- true | --record must name a file",
        "run --record /no/such/folder/file -- true | /no/such/folder/file: its folder is not there",
      })
  void saysWhatIsWrongWithACommandLine(String argumentsAndMessage) throws Exception {
    String[] parts = argumentsAndMessage.split(" \\| ");
    waymark = Waymark.start(folder, List.of(parts[0].split(" ")));
    Waymark.Ended ended = waymark.awaitEnd();

    assertThat(ended.exitCode()).isIn(2, 125);
    assertThat(ended.err()).contains(parts[1]).doesNotContain("Exception", "\tat ");
  }

  private void start(List<String> command) throws IOException {
    waymark = Waymark.start(folder, command(List.of(), command));
  }

  private static List<String> command(List<String> options, List<String> command) {
    List<String> arguments = new ArrayList<>(List.of("run", "--no-page"));
    Stream.of(options, List.of("--"), command).forEach(arguments::addAll);
    return arguments;
  }

  private void awaitOutput(String line) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> waymark.out().lines().toList().contains(line));
  }

  private static List<JsonNode> lines(Path record) throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(record)) {
      lines.add(json.readTree(line));
    }
    return lines;
  }
}
