package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.run.Program.Outcome;
import dev.waymark.agent.run.StatusEndpoint.Report;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two copies of DJL in one JVM, each in its own class loader, one after the other, on a thread that
 * lives on.
 */
class TwoCopiesIT {
  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir Path folder;

  /**
   * After a fit the reporter closes down, thread and all, some seconds after the last run's end. A
   * hand-written loop's run is still live while its loader goes, and its thread is still watched.
   */
  @ParameterizedTest
  @ValueSource(strings = {"fit", "fits-of-one-epoch", "loop"})
  void bothAreReportedAndNeitherIsKeptAlive(String scenario) throws Exception {
    Path program = Jars.program(folder);
    List<Path> copies = new ArrayList<>(List.of(program, Jars.djl()));
    copies.addAll(Jars.djlNeeds());
    String classPath =
        copies.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    Outcome outcome =
        Program.onClassPath(
                Jdk.present(), List.of(program), "example.TwoCopies", classPath, scenario)
            .withAgent()
            .reportingTo(endpoint, scenario)
            .run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out().lines())
        .containsExactly("weight 3ff84a2f", "weight 3ff84a2f", "collected");
    assertThat(endpoint.of(scenario))
        .as(outcome.err())
        .anyMatch(report -> isCompleted(report, "1"))
        .anyMatch(report -> isCompleted(report, "2"));
  }

  private static boolean isCompleted(Report report, String run) {
    return run.equals(report.metric("run")) && "completed".equals(report.metric("state"));
  }
}
