package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What this version sends is what earlier ones sent, to the byte: controllers of other versions
 * read it too. A document that has to change is a new file, and the old one stays for the status
 * server's tests.
 */
class WireFormatTest {
  private static final Path REPORTS = Paths.get("../conformance/reports");

  @Test
  void isThatOfTheRecordedReports() {
    RunSnapshot run =
        new RunSnapshot(
            RunState.RUNNING,
            42,
            600,
            List.of(new Metric("state", "running"), new Metric("run", 1), new Metric("loss", 0.25)),
            List.of(new Metric("accuracy", 0.9)),
            false);

    Report report =
        new StatusDocument(run, Map.of("gpu_0_utilization", 97L))
            .report(false, Instant.parse("2026-11-29T18:00:01.987Z"));

    assertThat(REPORTS.resolve("0.1-full.json")).hasBinaryContent(report.full());
    assertThat(REPORTS.resolve("0.1-bare.json")).hasBinaryContent(report.bare());
  }
}
