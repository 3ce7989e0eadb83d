package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.run.Program.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the agent keeps of real iterations of long trainings: nothing that grows. With {@code
 * -Dtrained.iterations=100000} it is shown for as many as it is promised for.
 */
class GrowthIT {
  private static final int ITERATIONS = Integer.getInteger("trained.iterations", 3_000);
  private static final int TRAININGS = 7;

  private static final Pattern GROWTH =
      Pattern.compile("grown by (-?\\d+) on the heap and (-?\\d+) off it in (.*)");

  /** Of 100,000 iterations less than one small object for each, an array's or a number's. */
  private static final long MOST_ON_HEAP = 512 << 10;

  /** What the allocator of the C library keeps for later comes and goes. */
  private static final long MOST_OFF_HEAP = 16 << 20;

  /** SameDiff itself keeps that much of each iteration until fit returns (1.0.0-M2.1). */
  private static final long KEPT_BY_SAMEDIFF = 250L * ITERATIONS;

  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir static Path folder;

  @Test
  void nothingGrowsWithTheIterations() throws Exception {
    List<Path> classPath = new ArrayList<>(List.of(Jars.program(folder)));
    classPath.addAll(Jars.dl4jAndItsNeeds());
    Outcome outcome =
        Program.onClassPath(
                Jdk.present(), classPath, "example.dl4j.LongTraining", String.valueOf(ITERATIONS))
            .option("-Xms256m", "-XX:+AlwaysPreTouch")
            .option("-Dorg.bytedeco.javacpp.maxphysicalbytes=0")
            .withEnvironment("OMP_NUM_THREADS", "1")
            .withAgent()
            .reportingTo(endpoint, "growth")
            .within(Duration.ofSeconds(120 + ITERATIONS / 80))
            .run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    List<Matcher> growths =
        outcome.out().lines().map(GROWTH::matcher).filter(Matcher::matches).toList();
    assertThat(growths).hasSize(TRAININGS);
    assertThat(growths).allSatisfy(GrowthIT::assertIsNone);
    // All of it was reported: what stands aside keeps nothing, which would prove nothing.
    assertThat(endpoint.lastOfRuns("growth").values())
        .hasSize(TRAININGS)
        .extracting(report -> report.metric("current_step"))
        .containsOnly(String.valueOf(ITERATIONS));
  }

  private static void assertIsNone(Matcher growth) {
    long kept = growth.group(3).equals("SameDiff.fit(iterator)") ? KEPT_BY_SAMEDIFF : 0;
    assertThat(Long.parseLong(growth.group(1))).as(growth.group()).isLessThan(kept + MOST_ON_HEAP);
    assertThat(Long.parseLong(growth.group(2))).as(growth.group()).isLessThan(MOST_OFF_HEAP);
  }
}
