package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waymark.cli.terminal.ProgressDisplay;
import dev.waymark.status.StatusSink;
import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.TrainerStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class RunReportsTest {

  private static final TrainJobKey IRIS = new TrainJobKey("default", "iris");

  @TempDir Path folder;

  @Test
  void aTerminalThatStandsStillHoldsUpNeitherTheEndpointNorTheRecord() throws Exception {
    SlowDisplay display = new SlowDisplay();
    Path file = folder.resolve("record.jsonl");
    try (RunRecord record = RunRecord.appendTo(file)) {
      RunReports reports = new RunReports(display, null, record, line -> {});
      StatusSink sink = reports.sink(IRIS);
      for (int percent : List.of(1, 2, 3)) {
        assertThat(sink.write(IRIS, new TrainerStatus(percent, null, List.of(), Instant.now())))
            .succeedsWithin(Duration.ofSeconds(10))
            .isInstanceOf(StatusSink.Outcome.Written.class);
      }
      reports.awaitKept();
      assertThat(Files.readAllLines(file)).hasSize(3);
      assertThat(reports.newest().orElseThrow().progressPercentage()).isEqualTo(3);
      assertThat(display.shown).isEmpty();

      display.goesOn.countDown();
      reports.awaitShown();
      assertThat(display.shown).containsExactly(1, 2, 3);
    }
  }

  @Test
  void aRecordOnAFullDiskIsNamedOnce() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full));
    List<String> warnings = new CopyOnWriteArrayList<>();
    SlowDisplay display = new SlowDisplay();
    display.goesOn.countDown();
    try (RunRecord record = RunRecord.appendTo(full)) {
      RunReports reports = new RunReports(display, null, record, warnings::add);
      StatusSink sink = reports.sink(IRIS);
      for (int percent : List.of(1, 2)) {
        assertThat(sink.write(IRIS, new TrainerStatus(percent, null, List.of(), Instant.now())))
            .succeedsWithin(Duration.ofSeconds(10));
      }
      reports.awaitKept();
      reports.awaitShown();
    }
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("Can't write the record /dev/full: ")
        .endsWith(". It ends here");
  }

  private static final class SlowDisplay implements ProgressDisplay {
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final List<Integer> shown = new CopyOnWriteArrayList<>();

    @Override
    public void show(TrainerStatus status) {
      try {
        goesOn.await();
        shown.add(status.progressPercentage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {}
  }
}
