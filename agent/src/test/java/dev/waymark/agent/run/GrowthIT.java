package dev.waymark.agent.run;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.run.Program.Outcome;
import dev.waymark.dl4j.ProgressListener;
import dev.waymark.reporter.TrainingRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the agent and the listeners keep of real iterations of long trainings: nothing that grows.
 * With {@code -Dtrained.iterations=100000} it is shown for as many as it is promised for; what was
 * measured is in {@code target/growth.csv}, from which {@code benchmarks/run growth} makes a table.
 * Each way to train has a JVM of its own, so that what one leaves behind isn't counted as
 * another's.
 */
class GrowthIT {
  private static final int ITERATIONS = Integer.getInteger("trained.iterations", 3_000);

  private static final Pattern MEASURED =
      Pattern.compile("(?m)^heap (\\d+), (\\d+), (\\d+), process (\\d+), (\\d+), (\\d+): (.*)$");

  /** Of 33,333 iterations less than one small object for each, an array's or a number's. */
  private static final long MOST_ON_HEAP = 512 << 10;

  /** What the allocator of the C library keeps for later comes and goes. */
  private static final long MOST_OFF_HEAP = 16 << 20;

  /** SameDiff itself keeps that much of each iteration until fit returns (1.0.0-M2.1). */
  private static final long KEPT_BY_SAMEDIFF = 125L * ITERATIONS;

  private static final Path ROWS = Path.of("target", "growth.csv");

  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir static Path folder;
  private static List<Path> classPath;

  @BeforeAll
  static void pack() throws Exception {
    classPath = new ArrayList<>(List.of(Jars.program(folder)));
    classPath.addAll(Jars.dl4jAndItsNeeds());
    Files.deleteIfExists(ROWS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "network.fit(batch)",
        "graph.fit(batch)",
        "SameDiff.fit(batch)",
        "network.fit(iterator)",
        "SameDiff.fit(iterator)",
        "ParallelWrapper.fit(iterator)",
        "EarlyStoppingTrainer.fit()",
      })
  void nothingGrowsWithTheAgent(String way) throws Exception {
    assertNothingGrows(
        Program.onClassPath(
                Jdk.present(),
                classPath,
                "example.dl4j.LongTraining",
                String.valueOf(ITERATIONS),
                way)
            .withAgent(),
        "agent-" + way.replaceAll("\\W+", "-"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"graph.fit(batch)", "SameDiff.fit(batch)", "network.fit(iterator)"})
  void norWithTheListenersByHand(String way) throws Exception {
    List<Path> aware = new ArrayList<>(classPath);
    for (Class<?> type : List.of(TrainingRun.class, ProgressListener.class)) {
      aware.add(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
    assertNothingGrows(
        Program.onClassPath(
            Jdk.present(),
            aware,
            "example.dl4j.ListenedLongTraining",
            String.valueOf(ITERATIONS),
            way),
        "listener-" + way.replaceAll("\\W+", "-"));
  }

  private static void assertNothingGrows(Program program, String trainJob) throws Exception {
    Outcome outcome =
        program
            .option("-Xms256m", "-XX:+AlwaysPreTouch")
            .option("-Dorg.bytedeco.javacpp.maxphysicalbytes=0")
            .withEnvironment("OMP_NUM_THREADS", "1")
            .reportingTo(endpoint, trainJob)
            .within(Duration.ofSeconds(60 + ITERATIONS / 200))
            .run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    Matcher measured = MEASURED.matcher(outcome.out());
    assertThat(measured.find()).as(outcome.out()).isTrue();
    Files.writeString(ROWS, row(measured), CREATE, APPEND);
    assertIsTheSame(measured);
    // All of it was reported: what stands aside keeps nothing, which would prove nothing.
    assertThat(endpoint.lastOfRuns(trainJob).values())
        .singleElement()
        .extracting(report -> report.metric("current_step"))
        .isEqualTo(String.valueOf(ITERATIONS));
  }

  /**
   * What grows does so in the second third and in the last one. A table of ND4J's that once doubles
   * since a busy machine let more arrays pile up than before does it in one of them.
   */
  private static void assertIsTheSame(MatchResult measured) {
    long kept = measured.group(7).equals("SameDiff.fit(iterator)") ? KEPT_BY_SAMEDIFF : 0;
    assertThat(leastGrowth(measured, 1)).as(measured.group()).isLessThan(kept + MOST_ON_HEAP);
    assertThat(leastGrowth(measured, 4)).as(measured.group()).isLessThan(MOST_OFF_HEAP);
  }

  private static long leastGrowth(MatchResult measured, int first) {
    long between = bytes(measured, first + 1);
    return Math.min(between - bytes(measured, first), bytes(measured, first + 2) - between);
  }

  /** What was measured first and last, in bytes, and then the way, which may hold a comma. */
  private static String row(MatchResult measured) {
    return String.format(
        "%s,%s,%s,%s,%s%n",
        measured.group(1),
        measured.group(3),
        measured.group(4),
        measured.group(6),
        measured.group(7));
  }

  private static long bytes(MatchResult measured, int group) {
    return Long.parseLong(measured.group(group));
  }
}
