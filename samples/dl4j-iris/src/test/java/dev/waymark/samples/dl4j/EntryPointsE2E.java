package dev.waymark.samples.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waymark.samples.testing.FrameworksPage;
import dev.waymark.samples.testing.Outcome;
import dev.waymark.samples.testing.SampleJar;
import dev.waymark.samples.testing.WatchedRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each of {@link EntryPoints} twice, alone and under {@code waymark run}. Many share a process, for
 * each is a run of its own; those that report by hand have one to themselves, where the agent
 * stands aside.
 */
class EntryPointsE2E {
  private static final String EPOCHS = "20";
  private static final String LOSS = "Loss of the last batch";

  @TempDir static Path folder;
  private static Trained byAgent;
  private static Trained byHand;

  private enum EntryPoint {
    ITERATOR("`network.fit(iterator)` in a loop"),
    BATCHES("`network.fit(DataSet)` in a loop"),
    ARRAYS("`network.fit(features, labels)` in a loop"),
    GRAPH("`ComputationGraph.fit(iterator, epochs)`"),
    EVALUATED("`network.fit(iterator, epochs)` with an `EvaluativeListener`"),
    SEQUENCES("`network.fit(iterator, epochs)`, truncated BPTT"),
    PRETRAIN("`network.pretrain(iterator, epochs)`"),
    PRETRAIN_GRAPH("`ComputationGraph.pretrain(iterator, epochs)`"),
    EARLY_GRAPH("`EarlyStoppingGraphTrainer.fit`"),
    EARLY_PARALLEL("`EarlyStoppingParallelTrainer.fit`"),
    SAMEDIFF("`SameDiff.fit`"),
    BATCHES_BY_HAND("the line by hand, `network.fit(DataSet)` in a loop"),
    PARALLEL_BY_HAND("the line by hand, `ParallelWrapper.fit` in a loop"),
    SAMEDIFF_BY_HAND("the line by hand, `SameDiff.fit`");

    private final String row;

    /**
     * @param row what the row of the page begins with that tells of it
     */
    EntryPoint(String row) {
      this.row = row;
    }

    String argument() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean isByHand() {
      return name().endsWith("_BY_HAND");
    }
  }

  @BeforeAll
  static void train() throws Exception {
    byAgent = new Trained(false);
    byHand = new Trained(true);
  }

  @ParameterizedTest
  @EnumSource
  void aTrainingReportsItself(EntryPoint entryPoint) throws Exception {
    Trained trained = entryPoint.isByHand() ? byHand : byAgent;
    Outcome alone = trained.alone(entryPoint);
    WatchedRun watched = trained.watched(entryPoint);

    assertThat(trained.reported(entryPoint)).as("bit for bit").isEqualTo(alone.output());
    watched.assertPercentIsThatOfTheSteps();
    assertThat(watched.last().number("current_step")).isEqualTo(alone.printed("Iterations"));
    if (alone.output().contains(LOSS)) {
      double loss = alone.printed(LOSS);
      assertThat(watched.last().number("loss")).isCloseTo(loss, within(1e-5 * Math.abs(loss)));
    }
    FrameworksPage.tells(entryPoint.row, watched);
  }

  /** Several entry points in a process, one after the other, each way of running it. */
  private static final class Trained {
    private final List<EntryPoint> all = new ArrayList<>();
    private final Outcome alone;
    private final WatchedRun watched;

    Trained(boolean byHand) throws Exception {
      List<String> arguments = new ArrayList<>(List.of(EPOCHS));
      Arrays.stream(EntryPoint.values())
          .filter(entryPoint -> entryPoint.isByHand() == byHand)
          .forEach(all::add);
      all.forEach(entryPoint -> arguments.add(entryPoint.argument()));
      SampleJar program =
          SampleJar.of("dl4j-iris.jar", folder)
              .program(EntryPoints.class.getName(), Path.of("target", "test-classes"));
      alone = program.alone(arguments.toArray(new String[0]));
      assertThat(alone.exitCode()).as(alone.toString()).isZero();
      watched = program.watched(arguments.toArray(new String[0]));
    }

    Outcome alone(EntryPoint entryPoint) {
      return alone.part(EntryPoints.NEXT, entryPoint.argument());
    }

    String reported(EntryPoint entryPoint) {
      return watched.outcome().part(EntryPoints.NEXT, entryPoint.argument()).output();
    }

    WatchedRun watched(EntryPoint entryPoint) {
      return watched.run(all.indexOf(entryPoint) + 1);
    }
  }
}
