package dev.waymark.cli.history;

import static dev.waymark.cli.history.Reports.START;
import static dev.waymark.cli.history.Reports.status;
import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunHistoryTest {

  private static final List<String> COMMAND = List.of("java", "-jar", "iris.jar");

  @TempDir Path directory;
  private RunHistory history;

  @BeforeEach
  void open() throws IOException {
    history = RunHistory.open(directory);
  }

  @Test
  void aRunShowsFromItsStartToItsEndHereAndInOtherProcesses() throws IOException {
    RunHistory other = RunHistory.open(directory);
    RecordedRun run = history.begin("default/iris", COMMAND, START);
    assertThat(states(history)).containsExactly(RunState.WAITING);
    assertThat(other.runs()).isEqualTo(history.runs());

    run.report(START.plusSeconds(5), status(42, "state", "running", "loss", "0.5"));
    assertThat(states(history)).containsExactly(RunState.RUNNING);
    assertThat(other.runs()).isEqualTo(history.runs());
    assertThat(history.runs().get(0).remainingSeconds()).isEqualTo(60);

    run.report(START.plusSeconds(9), status(100, "state", "completed", "loss", "0.4"));
    run.ended(0, START.plusSeconds(10));
    assertThat(other.runs()).isEqualTo(history.runs());

    RunSummary summary = history.runs().get(0);
    assertThat(summary.trainJob()).isEqualTo("default/iris");
    assertThat(summary.command()).isEqualTo(COMMAND);
    assertThat(summary.state()).isEqualTo(RunState.COMPLETED);
    assertThat(summary.startedAt()).isEqualTo(START);
    assertThat(summary.endedAt()).isEqualTo(START.plusSeconds(9));
    assertThat(summary.exitCode()).isZero();
    assertThat(summary.percent()).isEqualTo(100);
    assertThat(summary.remainingSeconds()).isNull();
    assertThat(summary.loss()).isEqualTo(0.4);
    assertThat(other.run(summary.id())).isEqualTo(history.run(summary.id())).isPresent();
  }

  @Test
  void runsOfOneProcessAreNumberedByTheMetricRun() {
    RecordedRun run = history.begin("default/folds", COMMAND, START);
    run.report(START.plusSeconds(5), status(50, "run", "1", "current_step", "1"));
    run.report(START.plusSeconds(9), status(90, "run", "1", "current_step", "2"));
    run.report(START.plusSeconds(12), status(10, "run", "2", "current_step", "1"));

    List<RunSummary> runs = history.runs();
    assertThat(runs).extracting(r -> r.id().number()).containsExactly(2, 1);
    assertThat(runs)
        .extracting(RunSummary::state)
        .containsExactly(RunState.RUNNING, RunState.ENDED);
    assertThat(runs).extracting(RunSummary::percent).containsExactly(10, 90);
    assertThat(runs.get(0).startedAt()).isEqualTo(START.plusSeconds(12));
    assertThat(runs.get(1).endedAt()).isEqualTo(START.plusSeconds(9));
    assertThat(history.run(runs.get(1).id()).orElseThrow().curves().x()).containsExactly(1.0, 2.0);
  }

  @Test
  void programsThatTrainOneAfterTheOtherAreRunsOfTheirOwn() throws IOException {
    RecordedRun run = history.begin("default/two", COMMAND, START);
    run.report(START.plusSeconds(1), status(50, "run", "1", "state", "running"));
    run.report(START.plusSeconds(2), status(100, "run", "1", "state", "completed"));
    run.report(START.plusSeconds(3), status(100, "run", "1", "state", "completed"));
    run.report(START.plusSeconds(4), status(10, "run", "1", "state", "running"));
    run.report(START.plusSeconds(5), status(90, "run", "1", "current_step", "9"));
    run.report(START.plusSeconds(6), status(20, "run", "1", "current_step", "2"));
    run.report(START.plusSeconds(7), status(30, "run", "2", "current_step", "1"));
    run.ended(1, START.plusSeconds(8));

    for (RunHistory reader : List.of(history, RunHistory.open(directory))) {
      assertThat(reader.runs()).extracting(r -> r.id().number()).containsExactly(4, 3, 2, 1);
      assertThat(reader.runs()).extracting(RunSummary::percent).containsExactly(30, 20, 90, 100);
      assertThat(states(reader))
          .containsExactly(RunState.FAILED, RunState.ENDED, RunState.ENDED, RunState.COMPLETED);
    }
  }

  @Test
  void newestFirst() {
    history.begin("default/old", COMMAND, START).ended(0, START);
    history.begin("default/new", COMMAND, START.plusSeconds(60)).ended(0, START);
    history.begin("default/older", COMMAND, START.minusSeconds(60)).ended(0, START);

    assertThat(history.runs())
        .extracting(RunSummary::trainJob)
        .containsExactly("default/new", "default/old", "default/older");
  }

  @Test
  void keepsTheNewestFilesButNeverDeletesOneThatIsBeingWritten() throws IOException {
    RunHistory small =
        RunHistory.open(directory, new HistoryLimits(3, 100, 2_000, 1 << 20, 1 << 24));
    small.begin("default/live", COMMAND, START.minusSeconds(99));
    for (int i = 0; i < 5; i++) {
      small.begin("default/run" + i, COMMAND, START.plusSeconds(i)).ended(0, START);
    }

    assertThat(RunHistory.open(directory).runs())
        .extracting(RunSummary::trainJob)
        .containsExactly("default/run4", "default/run3", "default/run2", "default/live");
  }

  @Test
  void rewriteThatItsProcessTakesAwayMeanwhileCostsNoRecord() throws IOException {
    // Listed, and gone when it is looked at.
    Files.createSymbolicLink(directory.resolve("other.jsonl.rewrite"), Path.of("renamed"));
    history.begin("default/iris", COMMAND, START);

    assertThat(RunHistory.open(directory).runs())
        .extracting(RunSummary::trainJob)
        .containsExactly("default/iris");
  }

  @Test
  void keepsAllFilesTogetherBelowTheirBound() throws IOException {
    RunHistory small =
        RunHistory.open(directory, new HistoryLimits(100, 100, 2_000, 1 << 20, 20_000));
    for (int i = 0; i < 20; i++) {
      RecordedRun run = small.begin("default/run" + i, COMMAND, START.plusSeconds(i));
      run.report(START, status(1, "note", "x".repeat(4_000)));
      run.ended(0, START);
    }

    assertThat(files().stream().mapToLong(RunHistoryTest::size).sum()).isLessThan(25_000);
    assertThat(small.runs().get(0).trainJob()).isEqualTo("default/run19");
  }

  @Test
  void thinsALongRunInMemoryAndOnDisk() throws IOException {
    RunHistory small =
        RunHistory.open(directory, new HistoryLimits(100, 100, 50, 1 << 20, 1 << 24));
    RecordedRun run = small.begin("default/long", COMMAND, START);
    for (int i = 1; i <= 1_000; i++) {
      run.report(START.plusSeconds(i), status(1, "current_step", "" + i, "loss", "0.5"));
      assertThat(lines(files().get(0))).hasSizeLessThanOrEqualTo(51);
    }

    RunId id = small.runs().get(0).id();
    List<Double> x = small.run(id).orElseThrow().curves().x();
    assertThat(x).hasSizeBetween(20, 50).contains(1.0, 1_000.0);
    assertThat(RunHistory.open(directory).run(id).orElseThrow().curves().x()).isEqualTo(x);
  }

  @Test
  void keepsAFileWithLargeReportsBelowItsBound() throws IOException {
    RunHistory small =
        RunHistory.open(directory, new HistoryLimits(100, 100, 2_000, 50_000, 1 << 24));
    RecordedRun run = small.begin("default/chatty", COMMAND, START);
    for (int i = 1; i <= 200; i++) {
      run.report(START.plusSeconds(i), status(1, "note", "x".repeat(5_000)));
      assertThat(size(files().get(0))).isLessThan(60_000);
    }
    run.ended(0, START.plusSeconds(201));

    assertThat(states(RunHistory.open(directory))).containsExactly(RunState.ENDED);
  }

  @Test
  void keepsTheNewestRunsOfAProcessThatHoldsMany() throws IOException {
    RunHistory small =
        RunHistory.open(directory, new HistoryLimits(100, 10, 2_000, 1 << 20, 1 << 24));
    RecordedRun run = small.begin("default/folds", COMMAND, START);
    IntStream.rangeClosed(1, 30)
        .forEach(n -> run.report(START.plusSeconds(n), status(1, "run", "" + n)));

    assertThat(small.runs()).extracting(r -> r.id().number()).hasSize(10).startsWith(30, 29);
    assertThat(RunHistory.open(directory).runs()).isEqualTo(small.runs());
  }

  @Test
  void skipsWhatIsDamaged() throws IOException {
    history.begin("default/good", COMMAND, START).ended(0, START);
    RecordedRun scratched = history.begin("default/scratched", COMMAND, START.plusSeconds(1));
    Path scratchedFile = files().get(1);
    scratched.report(START, status(7));
    Files.writeString(scratchedFile, "{\"receivedAt\":\"2026\n\u0000\u0000\n", APPEND);
    scratched.report(START, status(8));
    scratched.ended(0, START);
    Path runs = scratchedFile.getParent();
    Files.writeString(runs.resolve("20261129T180002000Z-00000000.jsonl"), "not JSON\n");
    Files.write(runs.resolve("20261129T180003000Z-00000000.jsonl"), new byte[] {(byte) 0xff, '\n'});
    Files.createFile(runs.resolve("20261129T180004000Z-00000000.jsonl"));
    Files.writeString(runs.resolve("notes.jsonl"), "{}\n");

    List<RunSummary> found = RunHistory.open(directory).runs();
    assertThat(found)
        .extracting(RunSummary::trainJob)
        .containsExactly("default/scratched", "default/good");
    assertThat(found.get(0).percent()).isEqualTo(8);
  }

  @Test
  void aLineThatACrashCutOffIsNotRead() throws IOException {
    RecordedRun run = history.begin("default/iris", COMMAND, START);
    run.report(START, status(7));
    Files.writeString(files().get(0), "{\"receivedAt\":\"2026-11-29T18:00:05Z\",\"trai", APPEND);

    assertThat(RunHistory.open(directory).runs())
        .extracting(RunSummary::percent)
        .containsExactly(7);
  }

  @Test
  void aRunWhoseRecorderIsGoneIsLost() throws Exception {
    Process process =
        new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-version")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Recorder gone = new Recorder(process.pid(), process.info().startInstant().orElse(null));
    process.waitFor();
    RecordingFolder folder = RecordingFolder.open(directory.resolve("runs"), HistoryLimits.DEFAULT);
    folder
        .create(RecordingName.of(START), new Entry.Started("default/iris", COMMAND, START, gone))
        .close();

    assertThat(states(history)).containsExactly(RunState.LOST);
  }

  @Test
  void aLaterProcessWithTheSameNumberIsNotTheRecorder() {
    Recorder self = Recorder.current();
    assertThat(self.isAlive()).isTrue();
    assumeThat(self.startedAt()).isNotNull();
    assertThat(new Recorder(self.pid(), self.startedAt().minus(Duration.ofHours(1))).isAlive())
        .isFalse();
  }

  @Test
  void onlyTheUserCanReadIt() throws IOException {
    assumeThat(directory.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Path state = directory.resolve("state/waymark");
    RunHistory.open(state).begin("default/iris", COMMAND, START);

    assertThat(permissions(state)).isEqualTo("rwx------");
    assertThat(permissions(state.resolve("runs"))).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(state.resolve("runs"))) {
      assertThat(files.toList())
          .singleElement()
          .satisfies(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
    }
  }

  @Test
  void aFolderThatCannotBeMadeIsTold() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> RunHistory.open(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("WAYMARK_STATE_DIR");
  }

  @Test
  void goesOnInMemoryWhenTheDiskFails() throws IOException {
    Files.delete(directory.resolve("runs"));
    RecordedRun run = history.begin("default/iris", COMMAND, START);
    run.report(START, status(42, "state", "running"));
    run.ended(1, START);

    assertThat(states(history)).containsExactly(RunState.FAILED);
  }

  @Test
  void nothingIsAddedAfterTheEnd() {
    RecordedRun run = history.begin("default/iris", COMMAND, START);
    run.ended(0, START);
    run.report(START, status(42));
    run.ended(1, START);

    assertThat(history.runs().get(0).percent()).isNull();
    assertThat(history.runs().get(0).exitCode()).isZero();
  }

  @Test
  void listenersHearOfEachChangeUntilTheyUnsubscribe() {
    AtomicInteger changes = new AtomicInteger();
    RunHistory.Subscription subscription = history.subscribe(changes::incrementAndGet);
    RecordedRun run = history.begin("default/iris", COMMAND, START);
    run.report(START, status(1));
    assertThat(changes).hasValue(2);

    subscription.close();
    run.ended(0, START);
    assertThat(changes).hasValue(2);
  }

  @Test
  void aListenerThatFailsDoesNotKeepARunFromBeingRecorded() {
    history.subscribe(
        () -> {
          throw new IllegalStateException("thrown by a test");
        });
    history.begin("default/iris", COMMAND, START).report(START, status(1));

    assertThat(history.runs()).extracting(RunSummary::percent).containsExactly(1);
  }

  @Test
  void manyThreadsMayReportWhileOthersRead() throws Exception {
    RunHistory small =
        RunHistory.open(directory, new HistoryLimits(100, 100, 40, 1 << 20, 1 << 24));
    RecordedRun run = small.begin("default/iris", COMMAND, START);
    RunHistory other = RunHistory.open(directory);
    List<Throwable> problems = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int thread = t;
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < 100; i++) {
                  run.report(START.plusSeconds(i), status(thread, "loss", "" + i));
                  assertThat(other.runs()).hasSize(1);
                }
              }));
    }
    threads.forEach(thread -> thread.setUncaughtExceptionHandler((t, e) -> problems.add(e)));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    run.ended(0, START.plusSeconds(100));

    assertThat(problems).isEmpty();
    assertThat(other.runs()).isEqualTo(small.runs());
    assertThat(files()).hasSize(1);
  }

  @Test
  void noRunHasAnotherName() {
    assertThat(history.run(new RunId("../../etc/passwd", 1))).isEmpty();
    assertThat(history.run(new RunId("20261129T180000000Z-00000000", 1))).isEmpty();
    assertThat(RunHistory.inMemory().run(new RunId("20261129T180000000Z-00000000", 1))).isEmpty();
  }

  private static List<RunState> states(RunHistory history) {
    return history.runs().stream().map(RunSummary::state).toList();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("runs"))) {
      return files.sorted().toList();
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file);
  }

  private static long size(Path file) {
    return file.toFile().length();
  }

  private static String permissions(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
