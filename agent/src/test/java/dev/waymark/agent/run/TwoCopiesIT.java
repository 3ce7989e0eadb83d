package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.run.Program.Outcome;
import dev.waymark.agent.run.StatusEndpoint.Report;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two copies of DJL in one JVM, each in its own class loader, one after the other. */
class TwoCopiesIT {
  @TempDir Path folder;

  /** The reporter closes down, thread and all, some seconds after the last run's end. */
  @Test
  void bothAreReportedAndNeitherIsKeptAlive() throws Exception {
    Path program = Jars.program(folder);
    List<Path> copies = new ArrayList<>(List.of(program, Jars.djl()));
    copies.addAll(Jars.djlNeeds());
    String classPath =
        copies.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    try (StatusEndpoint endpoint = StatusEndpoint.start(folder)) {
      Outcome outcome =
          Program.onClassPath(
                  Jdk.present(), List.of(program), "example.TwoCopies", classPath, "fit")
              .withAgent()
              .reportingTo(endpoint, "two-copies")
              .run();

      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      assertThat(outcome.out().lines())
          .containsExactly("weight 3ff84a2f", "weight 3ff84a2f", "collected");
      assertThat(endpoint.of("two-copies"))
          .as(outcome.err())
          .anyMatch(report -> isCompleted(report, "1"))
          .anyMatch(report -> isCompleted(report, "2"));
    }
  }

  private static boolean isCompleted(Report report, String run) {
    return run.equals(report.metric("run")) && "completed".equals(report.metric("state"));
  }
}
