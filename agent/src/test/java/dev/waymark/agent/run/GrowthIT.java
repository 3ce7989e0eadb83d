package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.run.Program.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the agent keeps of real iterations of long trainings: nothing that grows. With {@code
 * -Dtrained.iterations=100000} it is shown for as many as it is promised for.
 */
class GrowthIT {
  private static final int ITERATIONS = Integer.getInteger("trained.iterations", 3_000);

  /**
   * Less than an array for each iteration. Some 200 bytes for each within a fit SameDiff keeps
   * itself (1.0.0-M2.1).
   */
  private static final long MOST_GROWTH = 400L * ITERATIONS;

  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir static Path folder;

  @Test
  void nothingGrowsWithTheIterations() throws Exception {
    List<Path> classPath = new ArrayList<>(List.of(Jars.program(folder)));
    classPath.addAll(Jars.dl4jAndItsNeeds());
    Outcome outcome =
        Program.onClassPath(
                Jdk.present(), classPath, "example.dl4j.LongTraining", String.valueOf(ITERATIONS))
            .option("-Dorg.bytedeco.javacpp.maxphysicalbytes=0")
            .withEnvironment("OMP_NUM_THREADS", "1")
            .withAgent()
            .reportingTo(endpoint, "growth")
            .run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out().lines().filter(line -> line.startsWith("grown by ")))
        .hasSize(3)
        .allSatisfy(
            line ->
                assertThat(Long.parseLong(line.split(" ")[2])).as(line).isLessThan(MOST_GROWTH));
    // All of it was reported: what stands aside keeps nothing, which would prove nothing.
    assertThat(endpoint.lastOfRuns("growth").values())
        .extracting(report -> report.metric("current_step"))
        .containsExactly(
            String.valueOf(ITERATIONS), String.valueOf(ITERATIONS), String.valueOf(ITERATIONS));
  }
}
