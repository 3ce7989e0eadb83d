package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.run.Program.Outcome;
import dev.waymark.agent.run.StatusEndpoint.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The ways in which programs of Deeplearning4j are packed, beside the class path, which is {@link
 * Dl4jIT}'s, and with more of its jars, or fewer.
 */
class Dl4jLayoutIT {
  private static final String MAIN = "example.dl4j.Trainings";

  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir static Path folder;
  private static Path program;

  /** Native libraries, which JavaCPP unpacks for each jar anew: they stay where they are. */
  private static List<Path> natives;

  private static List<Path> others;

  @BeforeAll
  static void pack() throws Exception {
    program = Jars.program(folder);
    Map<Boolean, List<Path>> jars =
        Jars.dl4jAndItsNeeds().stream()
            .collect(Collectors.partitioningBy(jar -> jar.toString().endsWith("-x86_64.jar")));
    natives = jars.get(true);
    others = jars.get(false);
  }

  @FunctionalInterface
  interface Layout {
    Program of(String training) throws Exception;
  }

  static Stream<Arguments> layouts() {
    return Stream.of(
        Arguments.of("Spring Boot jar", (Layout) Dl4jLayoutIT::springBootJar),
        Arguments.of("Launcher-Agent-Class", (Layout) Dl4jLayoutIT::launcherAgent));
  }

  private static Program springBootJar(String training) throws Exception {
    Path jar = Jars.springBoot(folder.resolve("boot.jar"), MAIN, others, natives);
    return Program.inJar(Jdk.present(), jar, training).withAgent();
  }

  private static Program launcherAgent(String training) throws Exception {
    List<Path> beside = new ArrayList<>(others);
    beside.remove(Jars.dl4j());
    beside.addAll(natives);
    Map<String, String> manifest =
        Map.of(
            "Main-Class",
            MAIN,
            "Launcher-Agent-Class",
            "dev.waymark.agent.WaymarkAgent",
            "Class-Path",
            Jars.inManifest(beside));
    List<Path> within = List.of(program, Jars.dl4j(), Program.agent());
    Path jar = Jars.shaded(folder.resolve("launcher.jar"), within, manifest);
    return Program.inJar(Jdk.present(), jar, training);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("layouts")
  void reportsTheTraining(String name, Layout layout) throws Exception {
    String trainJob = name.replace(' ', '-');
    Outcome outcome = trained(layout.of("fit-epochs"), trainJob);

    assertThat(outcome.waymarkLines())
        .contains("[waymark] INFO attached to Deeplearning4j 1.0.0-M2.1");
    assertCompleted(endpoint.last(trainJob), 30);
  }

  @Test
  void sameDiffIsReportedWithoutTheNetworksOfDeeplearning4j() throws Exception {
    List<Path> classPath = new ArrayList<>(List.of(program));
    for (Path jar : Jars.dl4jAndItsNeeds()) {
      if (!jar.equals(Jars.dl4j()) && !Jars.isOf("deeplearning4j-parallel-wrapper-", jar)) {
        classPath.add(jar);
      }
    }
    Outcome outcome =
        trained(
            Program.onClassPath(
                    Jdk.present(), classPath, "example.dl4j.SameDiffTrainings", "samediff")
                .withAgent(),
            "samediff-alone");

    assertThat(outcome.waymarkLines())
        .filteredOn(line -> line.contains("attached"))
        .containsExactly("[waymark] INFO attached to SameDiff 1.0.0-M2.1");
    assertCompleted(endpoint.last("samediff-alone"), 30);
  }

  /** A wrapper whose network has listeners needs a class of deeplearning4j-core (1.0.0-M2.1). */
  @Test
  void wrappersWithListenersAreReportedWithDeeplearning4jCore() throws Exception {
    List<Path> classPath =
        new ArrayList<>(List.of(program, Jars.onClassPath("deeplearning4j-core-")));
    classPath.addAll(Jars.dl4jAndItsNeeds());
    Outcome outcome =
        trained(
            Program.onClassPath(
                    Jdk.present(),
                    classPath,
                    MAIN,
                    "parallel-listener-throws",
                    "early-parallel",
                    "parallel-printing")
                .withAgent(),
            "core");

    Map<String, Report> runs = endpoint.lastOfRuns("core");
    assertThat(runs.get("1").metric("state")).as(runs.toString()).isEqualTo("failed");
    assertThat(runs.get("1").metric("current_step")).isEqualTo("4");
    assertCompleted(runs.get("2"), 18);
    assertThat(runs.get("2").metric("total_epochs")).isEqualTo("3");
    assertThat(Double.parseDouble(runs.get("2").metric("eval_loss"))).isPositive();
    assertThat(runs.get("3").metric("state")).isEqualTo("completed");
    assertThat(runs.get("3").metric("current_step")).isEqualTo("12");
    double loss = Double.parseDouble(runs.get("3").metric("loss"));
    assertThat(lossesOfWorkers(outcome)).anyMatch(printed -> Math.abs(printed - loss) < 1e-6);
  }

  /** Which of them made the last step is chance. */
  private static List<Double> lossesOfWorkers(Outcome outcome) {
    return outcome
        .out()
        .lines()
        .filter(line -> line.startsWith("loss "))
        .map(line -> Double.valueOf(line.substring("loss ".length())))
        .toList();
  }

  private static Outcome trained(Program program, String trainJob) throws Exception {
    Outcome outcome =
        program
            .option("-Dorg.bytedeco.javacpp.maxphysicalbytes=0")
            .withEnvironment("OMP_NUM_THREADS", "1")
            .reportingTo(endpoint, trainJob)
            .run();
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome;
  }

  private static void assertCompleted(Report last, int steps) {
    assertThat(last.metric("state")).as(last.toString()).isEqualTo("completed");
    assertThat(last.metric("current_step")).isEqualTo(String.valueOf(steps));
    assertThat(last.metric("total_steps")).isEqualTo(String.valueOf(steps));
    assertThat(last.progress()).isEqualTo(100);
  }
}
