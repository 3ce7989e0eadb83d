package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.run.Program.Outcome;
import dev.waymark.agent.run.StatusEndpoint.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The ways in which programs are packed and agents started: all of them report the same. */
class LayoutIT {
  private static final String MAIN = "example.Training";

  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir static Path folder;
  private static Path program;

  @BeforeAll
  static void pack() throws Exception {
    program = Jars.program(folder);
  }

  @FunctionalInterface
  interface Layout {
    Program on(Jdk jdk) throws Exception;
  }

  static Stream<Arguments> layouts() {
    return Jdk.all()
        .flatMap(
            jdk ->
                Stream.of(
                    layout(jdk, "class path", LayoutIT::classPath),
                    layout(jdk, "JAVA_TOOL_OPTIONS", LayoutIT::toolOptions),
                    layout(jdk, "source file", LayoutIT::sourceFile),
                    layout(jdk, "module path", LayoutIT::modulePath),
                    layout(jdk, "shaded jar", LayoutIT::shadedJar),
                    layout(jdk, "Launcher-Agent-Class", LayoutIT::launcherAgent),
                    layout(jdk, "the agent twice", LayoutIT::twice),
                    layout(jdk, "Spring Boot jar", LayoutIT::springBootJar),
                    layout(jdk, "JaCoCo before", LayoutIT::jacocoBefore),
                    layout(jdk, "JaCoCo after", LayoutIT::jacocoAfter),
                    layout(jdk, "newest DJL", LayoutIT::newestDjl)));
  }

  private static Arguments layout(Jdk jdk, String name, Layout layout) {
    return Arguments.of(name, jdk, layout);
  }

  private static Program classPath(Jdk jdk) {
    return onClassPath(jdk, Jars.djl()).withAgent();
  }

  private static Program toolOptions(Jdk jdk) {
    return onClassPath(jdk, Jars.djl())
        .withEnvironment("JAVA_TOOL_OPTIONS", "-javaagent:" + Program.agent());
  }

  private static Program sourceFile(Jdk jdk) throws Exception {
    Path source = folder.resolve("Source.java");
    Files.writeString(
        source,
        "class Source { public static void main(String[] args) throws Exception {"
            + " example.Training.main(args); } }");
    return Program.onClassPath(jdk, all(Jars.djl()), source.toString(), "fit").withAgent();
  }

  private static Program twice(Jdk jdk) {
    return classPath(jdk).withAgent();
  }

  private static Program modulePath(Jdk jdk) {
    return Program.inModule(jdk, all(Jars.djl()), "program/" + MAIN, "fit")
        .option("--add-modules", "ALL-MODULE-PATH")
        .withAgent();
  }

  private static Program shadedJar(Jdk jdk) throws Exception {
    Map<String, String> manifest = Map.of("Main-Class", MAIN);
    Path jar = Jars.shaded(folder.resolve("shaded.jar"), all(Jars.djl()), manifest);
    return Program.inJar(jdk, jar, "fit").withAgent();
  }

  private static Program launcherAgent(Jdk jdk) throws Exception {
    List<Path> jars = all(Jars.djl());
    jars.add(Program.agent());
    Map<String, String> manifest =
        Map.of("Main-Class", MAIN, "Launcher-Agent-Class", "dev.waymark.agent.WaymarkAgent");
    return Program.inJar(jdk, Jars.shaded(folder.resolve("launcher.jar"), jars, manifest), "fit");
  }

  private static Program springBootJar(Jdk jdk) throws Exception {
    List<Path> jars = new ArrayList<>(Jars.djlNeeds());
    jars.add(Jars.djl());
    Path jar = Jars.springBoot(folder.resolve("boot.jar"), MAIN, jars, List.of());
    return Program.inJar(jdk, jar, "fit").withAgent();
  }

  private static Program jacocoBefore(Jdk jdk) {
    return onClassPath(jdk, Jars.djl()).option(jacoco()).withAgent();
  }

  private static Program jacocoAfter(Jdk jdk) {
    return onClassPath(jdk, Jars.djl()).withAgent().option(jacoco());
  }

  private static String jacoco() {
    return "-javaagent:" + Jars.jacocoAgent() + "=destfile=" + folder.resolve("jacoco.exec");
  }

  private static Program newestDjl(Jdk jdk) {
    return onClassPath(jdk, Jars.newestDjl()).withAgent();
  }

  private static Program onClassPath(Jdk jdk, Path djl) {
    return Program.onClassPath(jdk, all(djl), MAIN, "fit");
  }

  private static List<Path> all(Path djl) {
    List<Path> all = new ArrayList<>(List.of(program, djl));
    all.addAll(Jars.djlNeeds());
    return all;
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("layouts")
  void reportsTheTraining(String name, Jdk jdk, Layout layout) throws Exception {
    String trainJob = (name + jdk).replace(' ', '-');
    Outcome outcome = layout.on(jdk).reportingTo(endpoint, trainJob).run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    // What it is without an agent is RunEndIT's.
    assertThat(outcome.out()).isEqualTo("weight 3ff84a2f");
    assertThat(outcome.waymarkLines())
        .as(outcome.err())
        .filteredOn(line -> line.contains("attached"))
        .singleElement()
        .asString()
        .isEqualTo(
            "[waymark] INFO attached to DJL " + (name.startsWith("newest") ? "0.38.0" : "0.36.0"));
    assertThat(outcome.err()).doesNotContain("WARN", "bootstrap classpath has been appended");
    List<Report> reports = endpoint.of(trainJob);
    assertThat(reports).isNotEmpty();
    Report last = reports.get(reports.size() - 1);
    assertThat(last.metric("state")).isEqualTo("completed");
    assertThat(last.metric("current_step")).isEqualTo("40");
    assertThat(last.metric("total_epochs")).isEqualTo("4");
    assertThat(last.progress()).isEqualTo(100);
  }

  @Test
  void theDjlThatTheAgentWasBuiltWithIsWovenAlready() throws Exception {
    Path classes = folder.resolve("classes.txt");

    Outcome outcome =
        classPath(Jdk.present())
            .option("-Xlog:class+load:file=" + classes)
            .reportingTo(endpoint, "ahead")
            .run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(Files.readString(classes))
        .contains(" dev.waymark.djl.TrainerProgress ")
        .doesNotContain(" org.objectweb.asm.");
  }
}
