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
    Outcome outcome = run(Jars.djl(), scenario, scenario);

    assertUnharmed(outcome);
    assertThat(endpoint.of(scenario))
        .as(outcome.err())
        .anyMatch(report -> isCompleted(report, "1"))
        .anyMatch(report -> isCompleted(report, "2"));
  }

  @Test
  void aCopyThatCanNotBeWovenDoesNotSilenceTheOther() throws Exception {
    Outcome outcome = run(Jars.halfWeavableDjl(folder), "fit", "one-of-two");

    assertUnharmed(outcome);
    assertThat(outcome.waymarkLines())
        .anyMatch(line -> line.contains("not attached") && line.contains("EasyTrain"))
        .noneMatch(line -> line.contains("detached"));
    assertThat(endpoint.of("one-of-two"))
        .as(outcome.err())
        .anyMatch(report -> isCompleted(report, "1"));
  }

  private Outcome run(Path firstDjl, String scenario, String trainJob) throws Exception {
    Path program = Jars.program(folder);
    return Program.onClassPath(
            Jdk.present(),
            List.of(program),
            "example.TwoCopies",
            classPath(program, firstDjl),
            classPath(program, Jars.djl()),
            scenario)
        .withAgent()
        .reportingTo(endpoint, trainJob)
        .run();
  }

  private static String classPath(Path program, Path djl) {
    List<Path> elements = new ArrayList<>(List.of(program, djl));
    elements.addAll(Jars.djlNeeds());
    return elements.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static void assertUnharmed(Outcome outcome) {
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out().lines())
        .containsExactly("weight 3ff84a2f", "weight 3ff84a2f", "collected");
  }

  private static boolean isCompleted(Report report, String run) {
    return run.equals(report.metric("run")) && "completed".equals(report.metric("state"));
  }
}
