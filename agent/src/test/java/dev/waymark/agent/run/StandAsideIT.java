package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.run.Program.Outcome;
import dev.waymark.agent.run.StatusEndpoint.Report;
import dev.waymark.reporter.TrainingRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.Opcodes;

/**
 * Where the agent can't, needn't or mustn't report: the program runs as ever, and one line says
 * why.
 */
class StandAsideIT {
  private static final String WEIGHT = "weight 3ff84a2f";

  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir static Path folder;
  private static Path program;

  @BeforeAll
  static void pack() throws Exception {
    program = Jars.program(folder);
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({
    "KUBEFLOW_TRAINER_SERVER_URL,''",
    "DISABLE_KUBEFLOW_INTEGRATION,TRUE",
    "WAYMARK_ENABLED,false"
  })
  void whereNothingIsToBeReportedTheAgentIsSilent(String setting, String value) throws Exception {
    Outcome outcome =
        training(Jars.djl())
            .withAgent()
            .reportingTo(endpoint, setting)
            .withEnvironment(setting, value)
            .run();

    assertUnharmed(outcome);
    assertThat(outcome.waymarkLines()).isEmpty();
    assertThat(endpoint.of(setting)).isEmpty();
  }

  @Test
  void aSecurityManagerThatHidesAllSettingsDoesNotEndTheJvm() throws Exception {
    // JDK 24 and later have none any more.
    String managed = Runtime.version().feature() < 24 ? "" : "=disallow";
    Outcome outcome =
        Program.onClassPath(Jdk.present(), List.of(program), "-version")
            .option("-Djava.security.manager" + managed)
            .withAgent()
            .run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.waymarkLines()).isEmpty();
  }

  @Test
  void aDjlThatIsNotKnownIsLeftAlone() throws Exception {
    Path future =
        Jars.changed(
            folder.resolve("future.jar"),
            Jars.djl(),
            ClassFiles.renaming("ai/djl/training/Trainer", "step", "advance"));

    Outcome outcome = training(future).withAgent().reportingTo(endpoint, "future").run();

    assertUnharmed(outcome);
    assertThat(outcome.waymarkLines())
        .containsExactly(
            "[waymark] INFO not attached, the training runs without progress reports:"
                + " DJL 0.36.0 has no ai.djl.training.Trainer.step()V");
    assertThat(endpoint.of("future")).isEmpty();
  }

  @Test
  void aDjlOfWhichOneClassCanNotBeWovenIsNotReportedByHalves() throws Exception {
    Outcome outcome =
        training(Jars.halfWeavableDjl(folder)).withAgent().reportingTo(endpoint, "half").run();

    assertUnharmed(outcome);
    assertThat(outcome.waymarkLines())
        .singleElement()
        .asString()
        .startsWith(
            "[waymark] INFO not attached, the training runs without progress reports:"
                + " ai.djl.training.EasyTrain can't be woven: it stores into the parameters of fit");
    assertThat(endpoint.of("half")).isEmpty();
  }

  @Test
  void anAdapterThatThrowsAtEachCallIsHeardButNotFelt() throws Exception {
    Path agent =
        Jars.changed(folder.resolve("throwing.jar"), Program.agent(), StandAsideIT::throwAlways);

    Outcome outcome = training(Jars.djl()).withAgent(agent).reportingTo(endpoint, "throwing").run();

    assertUnharmed(outcome);
    assertThat(outcome.waymarkLines())
        .allMatch(line -> line.contains("attached") || line.contains("incomplete"))
        .as("one line for each hook point, not for each call")
        .doesNotHaveDuplicates()
        .hasSizeBetween(2, 8);
    assertThat(endpoint.of("throwing")).isEmpty();
  }

  private static byte[] throwAlways(String name, byte[] content) {
    return name.equals("inst/dev/waymark/djl/TrainerProgress.class")
        ? ClassFiles.edited(
            content,
            method -> {
              if ((method.access & Opcodes.ACC_PUBLIC) != 0 && !method.name.equals("<init>")) {
                method.instructions.clear();
                method.tryCatchBlocks.clear();
                method.localVariables = null;
                method.visitInsn(Opcodes.ACONST_NULL);
                method.visitInsn(Opcodes.ATHROW);
              }
            })
        : content;
  }

  @Test
  void anAdapterThatDoesNotLinkIsOneLine() throws Exception {
    Path agent =
        Jars.changed(
            folder.resolve("unlinked.jar"),
            Program.agent(),
            (name, content) -> name.endsWith("/DjlSide.class") ? null : content);

    Outcome outcome = training(Jars.djl()).withAgent(agent).reportingTo(endpoint, "unlinked").run();

    assertUnharmed(outcome);
    assertThat(outcome.waymarkLines())
        .singleElement()
        .asString()
        .contains("not attached", "the listener doesn't link with DJL 0.36.0");
    assertThat(endpoint.of("unlinked")).isEmpty();
  }

  @Test
  void aProgramThatTrainsNothingHearsSoAtItsEnd() throws Exception {
    Outcome outcome =
        Program.onClassPath(Jdk.present(), List.of(program), "example.NoTraining")
            .withAgent()
            .reportingTo(endpoint, "no-training")
            .run();

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).isEqualTo("done");
    assertThat(outcome.waymarkLines())
        .singleElement()
        .asString()
        .startsWith("[waymark] INFO no training with DJL or");
  }

  @Test
  void djlUnderAnotherNameIsNotRecognised() throws Exception {
    Path jar =
        Jars.relocated(
            folder.resolve("relocated.jar"),
            classPath(Jars.djl()),
            Map.of("Main-Class", "example.Training"));

    Outcome outcome =
        Program.inJar(Jdk.present(), jar, "fit")
            .withAgent()
            .reportingTo(endpoint, "relocated")
            .run();

    assertUnharmed(outcome);
    assertThat(outcome.waymarkLines())
        .singleElement()
        .asString()
        .contains("moved to another package");
    assertThat(endpoint.of("relocated")).isEmpty();
  }

  @Test
  void aProgramThatReportsByHandGoesFirst() throws Exception {
    Outcome outcome = reportingByHand("first").reportingTo(endpoint, "by-hand").run();

    assertUnharmed(outcome);
    assertThat(outcome.waymarkLines())
        .containsOnlyOnce("[waymark] INFO the program reports by hand; the agent stands aside");
    List<Report> reports = endpoint.of("by-hand");
    assertThat(reports).isNotEmpty();
    Report last = reports.get(reports.size() - 1);
    assertThat(last.metric("state")).isEqualTo("completed");
    assertThat(last.metric("total_steps")).isEqualTo("7");
    assertThat(last.metric("run")).isEqualTo("1");
  }

  /** Two copies of the reporter have something to report, the agent's and the program's. */
  @Test
  void whereItIsReportedIsToldOnce() throws Exception {
    Outcome outcome = reportingByHand("late").reportingTo(endpoint, "by-hand-late").run();

    assertUnharmed(outcome);
    assertThat(outcome.waymarkLines())
        .filteredOn(line -> line.contains("training progress is reported to"))
        .hasSize(1);
    assertThat(endpoint.of("by-hand-late"))
        .anyMatch(report -> "7".equals(report.metric("total_steps")))
        .anyMatch(report -> "4".equals(report.metric("total_epochs")));
  }

  private static Program reportingByHand(String when) throws Exception {
    List<Path> classPath = classPath(Jars.djl());
    for (Class<?> type : List.of(ReportingByHand.class, TrainingRun.class)) {
      classPath.add(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
    return Program.onClassPath(Jdk.present(), classPath, ReportingByHand.class.getName(), when)
        .withAgent();
  }

  @Test
  void djlStillCountsGpusThroughAForkedJvm() throws Exception {
    Path home = FakeJvm.printing(folder, "2,12040,80,80");

    Outcome outcome =
        Program.onClassPath(
                Jdk.present(), classPath(Jars.djl()), "example.GpuCount", home.toString())
            .option("-Dai.djl.util.cuda.fork=true")
            .withAgent()
            .reportingTo(endpoint, "gpus")
            .run();

    assertThat(outcome.out()).as(outcome.err()).isEqualTo("2 GPUs, CUDA 12040");
  }

  private static void assertUnharmed(Outcome outcome) {
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out()).isEqualTo(WEIGHT);
    assertThat(outcome.otherLines()).isEmpty();
  }

  private static Program training(Path djl) {
    return Program.onClassPath(Jdk.present(), classPath(djl), "example.Training", "fit");
  }

  private static List<Path> classPath(Path djl) {
    List<Path> classPath = new ArrayList<>(Arrays.asList(program, djl));
    classPath.addAll(Jars.djlNeeds());
    return classPath;
  }
}
