package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waymark.agent.run.Program.Outcome;
import dev.waymark.agent.run.StatusEndpoint.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Trainings on a real engine: what is reported is what they print, and they print what they did.
 */
class PyTorchIT {
  private static final String MAIN = "example.PyTorchTraining";

  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir static Path folder;
  private static Path program;

  @BeforeAll
  static void pack() throws Exception {
    program = Jars.program(folder);
  }

  static Stream<Arguments> trainings() {
    return Jdk.all()
        .flatMap(
            jdk ->
                Stream.of(
                    Arguments.of("fit", "class path", jdk),
                    Arguments.of("loop", "class path", jdk),
                    Arguments.of("fit", "module path", jdk)));
  }

  @ParameterizedTest(name = "{0}, {1}, {2}")
  @MethodSource("trainings")
  void theLossReportedIsTheLossPrinted(String how, String layout, Jdk jdk) throws Exception {
    String trainJob = (how + layout + jdk).replace(' ', '-');
    Outcome alone = training(how, layout, jdk).run();
    Outcome reported = training(how, layout, jdk).withAgent().reportingTo(endpoint, trainJob).run();

    assertThat(reported.exitCode()).as(reported.out() + reported.err()).isZero();
    assertThat(reported.out()).as("bit for bit").isEqualTo(alone.out());
    List<Report> reports = endpoint.of(trainJob);
    assertThat(reports).as(reported.err()).isNotEmpty();
    Report last = reports.get(reports.size() - 1);
    assertThat(last.metric("state")).isEqualTo("completed");
    assertThat(last.metric("current_step")).isEqualTo("1000");
    double loss = Double.parseDouble(last.metric("loss"));
    assertThat(printedLosses(alone))
        .hasSize(1000)
        .anySatisfy(printed -> assertThat(printed).isCloseTo(loss, within(1e-5 * loss)));
    assertThat(Double.parseDouble(last.metric("learning_rate"))).isBetween(0.01, 0.1);
  }

  private static List<Double> printedLosses(Outcome outcome) {
    return outcome
        .out()
        .lines()
        .filter(line -> line.startsWith("loss "))
        .map(line -> Double.parseDouble(line.substring("loss ".length())))
        .toList();
  }

  /**
   * The jars with native libraries go on the class path even then: their names are no names of
   * modules (DJL 0.36.0).
   */
  private static Program training(String how, String layout, Jdk jdk) {
    List<Path> djl = new ArrayList<>(List.of(program, Jars.djl()));
    djl.addAll(Jars.allOnClassPath("pytorch-engine-"));
    List<Path> others =
        new ArrayList<>(
            Jars.allOnClassPath(
                "pytorch-jni-", "pytorch-native-", "slf4j-", "jna-", "gson-", "commons-"));
    if (layout.equals("module path")) {
      return Program.inModule(jdk, djl, "program/" + MAIN, how).classPath(others);
    }
    others.addAll(djl);
    return Program.onClassPath(jdk, others, MAIN, how);
  }
}
