package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A real program in a JVM of its own, a real TLS server, real signals. */
class TrainingProcessIT {
  private static final TestCa CA = new TestCa("Waymark test CA");

  @TempDir private Path folder;
  private FaultyServer server;
  private Process program;
  private final List<String> output = new ArrayList<>();

  /** A JVM's first handshake takes longer on a busy machine than a program's last word waits. */
  @BeforeAll
  static void makeTheFirstHandshake(@TempDir Path files) throws IOException {
    Path token = Files.writeString(files.resolve("token"), "the-first");
    Path ca = TestCa.write(files.resolve("ca.crt"), CA);
    try (FaultyServer server = new FaultyServer(CA.serverFor("127.0.0.1"))) {
      HttpsEndpoint endpoint = new HttpsEndpoint(server.url(), token, ca);
      endpoint.post(new byte[] {'{', '}'}, Deadline.in(Duration.ofMinutes(1)));
      endpoint.close();
    }
  }

  @BeforeEach
  void startServer() {
    server = new FaultyServer(CA.serverFor("127.0.0.1"));
  }

  @AfterEach
  void stop() {
    server.close();
    if (program != null) {
      program.destroyForcibly();
    }
  }

  @ParameterizedTest(name = "{0}: {1}, {2} %, exit code {3}")
  @CsvSource({
    "complete, completed,     100, 0",
    "throw,    stopped_early, 40,  1",
    "forget,   interrupted,   40,  0",
    "exit,     interrupted,   40,  7",
    "presume,  completed,     100, 0",
    "presume-short, interrupted, 40, 0",
    "presume-over, stopped_early, 40, 0"
  })
  void theLastReportTellsHowTheRunEnded(String mode, String state, int percent, int exitCode)
      throws Exception {
    start(mode);
    assertThat(exitCode()).isEqualTo(exitCode);

    JsonNode last = lastStatus();
    assertThat(RecordingEndpoint.metrics(last))
        .containsEntry("state", state)
        .containsEntry("run", "1")
        .containsEntry("current_step", "4")
        .containsEntry("loss", "0.5");
    assertThat(last.get("progressPercentage").intValue()).isEqualTo(percent);
    assertThat(last.has("estimatedRemainingSeconds")).isEqualTo(percent == 100);
    assertThat(server.requests().get(0).token()).isEqualTo("the-token");
  }

  @ParameterizedTest(name = "SIGTERM, {0} {1}: {2}")
  @CsvSource({
    "train,             '',    interrupted",
    "presume-and-train, false, interrupted",
    "presume-and-train, true,  completed"
  })
  void aSignalLeavesTheTruthBehind(String mode, String argument, String state) throws Exception {
    start(mode, argument);
    awaitLine("training");

    program.destroy();

    assertThat(exitCode()).isEqualTo(128 + 15);
    assertThat(RecordingEndpoint.metrics(lastStatus())).containsEntry("state", state);
  }

  @Test
  void aPresumedCompletionIsReportedWhileTheProgramLives() throws Exception {
    start("presume-quiet");

    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                !server.requests().isEmpty()
                    && "completed".equals(RecordingEndpoint.metrics(lastStatus()).get("state")));
    assertThat(program.isAlive()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultyServer.Fault.class,
      names = {"HANG_BEFORE_HANDSHAKE", "HANG_AFTER_HANDSHAKE", "HANG_AFTER_REQUEST", "TRICKLE"})
  void theJvmIsGoneWithinFiveSecondsWhateverTheServerDoes(FaultyServer.Fault fault)
      throws Exception {
    server.fault(fault);
    start("complete");
    awaitLine("main ends");
    long mainEnded = System.nanoTime();

    assertThat(exitCode()).isZero();

    assertThat(Duration.ofNanos(System.nanoTime() - mainEnded)).isLessThan(Duration.ofSeconds(5));
    assertThat(output.stream().filter(line -> line.startsWith("[waymark] WARN"))).hasSize(1);
  }

  /** Twelve last words wait, and the JVM's end leaves no time for all of them. */
  @Test
  void whatArrivesLastIsTheLastWordOfTheLastRun() throws Exception {
    server.delay(400);
    start("short-runs");

    assertThat(exitCode()).isZero();

    assertThat(RecordingEndpoint.metrics(lastStatus()))
        .containsEntry("run", "12")
        .containsEntry("state", "failed");
    assertThat(output)
        .filteredOn(line -> line.startsWith("[waymark] WARN"))
        .singleElement()
        .asString()
        .contains("earlier runs may not have reached");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void theLastWordDoesNotWaitForAcceleratorToolsThatHang() throws Exception {
    Path reading = folder.resolve("reading");
    String hangs = "#!/bin/sh\n: > '" + reading + "'\nexec sleep 100\n";
    for (String tool : List.of("nvidia-smi", "npu-smi")) {
      Path file = Files.writeString(folder.resolve(tool), hangs);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
    Map<String, String> environment = new HashMap<>(settings());
    environment.put("PATH", folder + File.pathSeparator + System.getenv("PATH"));
    startWith(environment, "complete-when", reading.toString());

    assertThat(exitCode()).isZero();

    assertThat(RecordingEndpoint.metrics(lastStatus())).containsEntry("state", "completed");
    assertThat(output).noneMatch(line -> line.startsWith("[waymark] WARN"));
  }

  @Test
  void outsideATrainJobThereIsNoThreadAndNoLine() throws Exception {
    startWith(Map.of("WAYMARK_EPOCHS", "many"), "threads");

    assertThat(exitCode()).isZero();

    assertThat(output).contains("thread main", "main ends");
    assertThat(output).noneMatch(line -> line.contains("waymark"));
    assertThat(server.connections()).isZero();
  }

  private void start(String... arguments) throws IOException {
    startWith(settings(), arguments);
  }

  private Map<String, String> settings() throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "the-token");
    Path ca = TestCa.write(folder.resolve("ca.crt"), CA);
    return Map.of(
        Settings.SERVER_URL, server.url().toString(),
        Settings.CA_CERT, ca.toString(),
        Settings.TOKEN, token.toString(),
        Settings.INTERVAL, "1");
  }

  private void startWith(Map<String, String> environment, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(TrainingProgram.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    program = builder.start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8));
    Thread reader =
        new Thread(
            () ->
                lines
                    .lines()
                    .forEach(
                        line -> {
                          synchronized (output) {
                            output.add(line);
                          }
                        }));
    reader.setDaemon(true);
    reader.start();
  }

  private void awaitLine(String line) {
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              synchronized (output) {
                return output.contains(line);
              }
            });
  }

  private int exitCode() throws InterruptedException {
    assertThat(program.waitFor(30, TimeUnit.SECONDS)).as("the program has ended").isTrue();
    return program.exitValue();
  }

  private JsonNode lastStatus() throws IOException {
    List<FaultyServer.Request> requests = server.requests();
    assertThat(requests).isNotEmpty();
    return new ObjectMapper().readTree(requests.get(requests.size() - 1).body).get("trainerStatus");
  }
}
