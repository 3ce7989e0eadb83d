package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.run.Program.Outcome;
import dev.waymark.agent.run.StatusEndpoint.Report;
import dev.waymark.djl.ProgressTrainingListener;
import dev.waymark.reporter.TrainingRun;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two hundred trainings with DJL in one JVM, of programs that come and go: first of some that know
 * nothing of Waymark, then of some that bring its listener.
 */
class RedeploymentIT {
  private static final int DEPLOYMENTS_OF_EACH = 5;
  private static final int TRAININGS = 20;

  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir Path folder;

  @Test
  void twoHundredTrainingsLeaveNoThreadNoFileAndNoClassLoaderBehind() throws Exception {
    Path program = Jars.program(folder);
    List<Path> unaware = new ArrayList<>(List.of(program, Jars.djl()));
    unaware.addAll(Jars.djlNeeds());
    List<Path> aware = new ArrayList<>(unaware);
    for (Class<?> type : List.of(TrainingRun.class, ProgressTrainingListener.class)) {
      aware.add(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
    List<String> arguments = new ArrayList<>(List.of(String.valueOf(TRAININGS)));
    for (int i = 0; i < DEPLOYMENTS_OF_EACH; i++) {
      arguments.addAll(List.of(classPath(unaware), "example.ManyTrainings"));
    }
    for (int i = 0; i < DEPLOYMENTS_OF_EACH; i++) {
      arguments.addAll(List.of(classPath(aware), "example.ManyListenedTrainings"));
    }

    Outcome outcome =
        Program.onClassPath(
                Jdk.present(),
                List.of(program),
                "example.Redeployed",
                arguments.toArray(new String[0]))
            .withAgent()
            .reportingTo(endpoint, "redeployed")
            .run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out().lines()).contains("threads left: []", "class loaders left: 0");
    // The JVM has opened some for itself; one for each deployment would be ten.
    assertThat(filesLeft(outcome)).as(outcome.out()).isLessThan(2L * DEPLOYMENTS_OF_EACH);
    // Two hundred trainings within seconds end faster than one endpoint takes last words.
    assertThat(outcome.waymarkLines())
        .filteredOn(line -> line.contains("WARN"))
        .allMatch(line -> line.contains("given up: more than 32 waited"));
    // All of them were reported: what stands aside leaves nothing, which would prove nothing.
    assertThat(completed("2").map(report -> report.metric("run")))
        .contains(String.valueOf(DEPLOYMENTS_OF_EACH * TRAININGS));
    assertThat(completed("3").filter(report -> isRun(report, TRAININGS)))
        .hasSizeGreaterThanOrEqualTo(DEPLOYMENTS_OF_EACH);
  }

  private static String classPath(List<Path> elements) {
    return elements.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static long filesLeft(Outcome outcome) {
    String label = "files left: ";
    return outcome
        .out()
        .lines()
        .filter(line -> line.startsWith(label))
        .mapToLong(line -> Long.parseLong(line.substring(label.length())))
        .findFirst()
        .orElseThrow();
  }

  /** The last words of trainings of so many epochs. */
  private static Stream<Report> completed(String epochs) {
    return endpoint.of("redeployed").stream()
        .filter(report -> "completed".equals(report.metric("state")))
        .filter(report -> epochs.equals(report.metric("total_epochs")));
  }

  private static boolean isRun(Report report, int number) {
    return String.valueOf(number).equals(report.metric("run"));
  }
}
