package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waymark.agent.run.Program.Outcome;
import dev.waymark.agent.run.StatusEndpoint.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Trainings with Deeplearning4j: what is reported is what they did and printed, and they print the
 * same as without the agent. Many of them share a process, for each is a run of its own.
 */
class Dl4jIT {
  private static final String MAIN = "example.dl4j.Trainings";
  private static final String SAMEDIFF_LOSSES = "losses-of-samediff";

  /** ND4J counts what the whole process has in memory, and gives up early in a small one. */
  private static final String OFF_HEAP = "-Dorg.bytedeco.javacpp.maxphysicalbytes=0";

  @RegisterExtension static final StatusEndpoint endpoint = new StatusEndpoint();

  @TempDir static Path folder;
  private static Path program;

  /** What each training prints without the agent. */
  private static Map<String, List<String>> alone;

  @BeforeAll
  static void trainAlone() throws Exception {
    program = Jars.program(folder);
    String[] names =
        Stream.concat(
                Arrays.stream(Expected.values()).map(Expected::training),
                Stream.of(SAMEDIFF_LOSSES))
            .toArray(String[]::new);
    Outcome outcome = training(Jdk.present(), names).run();
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    alone = printedByTraining(outcome);
  }

  /** What is to be reported of a training. Its loss is the one printed last, if there is one. */
  private enum Expected {
    FIT_EPOCHS("completed", 30, 30, "5", "5", 100),
    FIT_ONE_EPOCH_LOOP("completed", 18, 0, "3", null, 100),
    FIT_BATCH_LOOP("completed", 12, 0, null, null, 100),
    FIT_ARRAYS("completed", 6, 0, null, null, 100),
    GRAPH("completed", 24, 24, "4", "4", 100),
    // Three pieces of each of two batches in three epochs.
    TRUNCATED_BPTT("completed", 18, 18, "3", "3", 100),
    PRETRAINING("completed", 12, 12, "2", "2", 100),
    EARLY_BY_EPOCHS("completed", 24, 24, "4", "4", 100),
    EARLY_BY_SCORE("stopped_early", 6, 300, "1", "50", 2),
    EARLY_BY_NAN("diverged", 12, 120, "2", "20", 10),
    EARLY_BY_EXCEPTION("failed", 10, 24, "1.66", "4", 41),
    EARLY_PRETRAINING("completed", 12, 12, "2", "2", 100),
    PARALLEL("completed", 18, 0, "3", null, 100),
    SAMEDIFF("completed", 30, 30, "5", "5", 100),
    SAMEDIFF_VALIDATION("completed", 24, 24, "4", "4", 100),
    SAMEDIFF_EVALUATED("completed", 24, 24, "4", "4", 100),
    SAMEDIFF_MULTI_BATCHES("completed", 24, 24, "4", "4", 100),
    SAMEDIFF_STOPPED("stopped_early", 12, 54, "2", "9", 22),
    TWO_AT_ONCE("completed", 6, 0, null, null, 100),
    LISTENER_THROWS("failed", 9, 30, "1.5", "5", 30),
    NAN("completed", 12, 12, "2", "2", 100),
    LISTENERS_REPLACED("completed", 18, 0, "3", null, 100),
    RESTORED("completed", 30, 30, "5", "5", 100),
    EVALUATING_LISTENER("completed", 18, 18, "3", "3", 100),
    // One pass for each of two layers, as a graph of 1.0.0-M2.1 does whatever it is told.
    GRAPH_PRETRAINING("completed", 12, 0, "2", null, 100),
    GRAPH_OF_MULTI_BATCHES("completed", 12, 12, "2", "2", 100),
    MULTI_BATCHES("completed", 12, 12, "2", "2", 100),
    LAYER_OF_ARRAYS("completed", 6, 0, null, null, 100),
    GRAPH_LAYER("completed", 6, 0, "1", null, 100),
    GRAPH_EVALUATED("completed", 12, 0, "2", null, 100),
    GRAPH_BPTT("completed", 18, 18, "3", "3", 100),
    LINE_GRADIENT_DESCENT("completed", 12, 12, "2", "2", 100),
    CONJUGATE_GRADIENT("completed", 12, 12, "2", "2", 100),
    LBFGS("completed", 12, 12, "2", "2", 100),
    EARLY_GRAPH("completed", 18, 18, "3", "3", 100),
    CLONED("completed", 30, 30, "5", "5", 100),
    TRANSFERRED("completed", 12, 12, "2", "2", 100),
    CLONED_GRAPH("completed", 18, 18, "3", "3", 100),
    LISTENERS_REPLACED_WITHIN("completed", 18, 18, "3", "3", 100),
    PARALLEL_NETWORK("completed", 12, 0, "2", null, 100),
    PARALLEL_STOPPED("completed", 8, 0, "1.33", null, 100),
    PARALLEL_FAILS("failed", 3, 0, null, null, null),
    TWO_THREADS("completed", 12, 0, "2", null, 100),
    BATCHES_OF_SAMEDIFF("completed", 6, 0, null, null, 100),
    // The iteration whose listener throws is made: it has trained.
    THROWN_IN_SAMEDIFF("failed", 9, 30, "1.5", "5", 30),
    ZERO_LOSS_AT_FIRST("completed", 6, 0, "1", null, 100),
    GRAPH_LISTENER_THROWS("failed", 9, 30, "1.5", "5", 30),
    BPTT_LISTENER_THROWS("failed", 8, 18, "1.33", "3", 44),
    RESTORED_GRAPH("completed", 30, 30, "5", "5", 100),
    RESTORED_SAMEDIFF("completed", 30, 30, "5", "5", 100),
    SHARED_GRADIENTS("completed", 6, 0, "1", null, 100),
    UNKNOWN_LENGTH("completed", 18, 18, "3", "3", 100),
    UNKNOWN_LENGTH_THROWS("failed", 4, 0, "0", "3", null),
    // From the second epoch on the length of the first tells.
    UNKNOWN_LENGTH_THROWS_LATER("failed", 9, 18, "1.5", "3", 50),
    TWO_MODELS_ON_THREADS("completed", 18, 18, "3", "3", 100),
    SECOND_MODEL_ENDS_LATER("completed", 24, 24, "4", "4", 100),
    TWO_IN_TURN("completed", 24, 0, "4", null, 100),
    SCHEDULED("completed", 30, 30, "5", "5", 100),
    SCHEDULED_BATCHES("completed", 6, 0, null, null, 100),
    SCHEDULED_BY_THE_PROGRAM("completed", 12, 12, "2", "2", 100);

    /** What is restored or copied was trained before in the same process, or something else was. */
    private static final Set<Expected> TRAINED_BEFORE =
        EnumSet.of(
            RESTORED,
            CLONED,
            TRANSFERRED,
            CLONED_GRAPH,
            RESTORED_GRAPH,
            RESTORED_SAMEDIFF,
            SECOND_MODEL_ENDS_LATER,
            TWO_IN_TURN);

    /** SameDiff tells its listeners no loss, so the training can't print one. */
    private static final Set<Expected> OF_SAMEDIFF =
        EnumSet.of(
            SAMEDIFF,
            SAMEDIFF_VALIDATION,
            SAMEDIFF_EVALUATED,
            SAMEDIFF_MULTI_BATCHES,
            SAMEDIFF_STOPPED,
            BATCHES_OF_SAMEDIFF,
            THROWN_IN_SAMEDIFF,
            RESTORED_SAMEDIFF);

    /** Of those the ones whose last iteration nobody knows to be the last before it is made. */
    private static final Set<Expected> WITH_ANY_END =
        EnumSet.of(SAMEDIFF_STOPPED, BATCHES_OF_SAMEDIFF, THROWN_IN_SAMEDIFF);

    /** A wrapper's network can have no listener that prints it without deeplearning4j-core. */
    private static final Set<Expected> WITHOUT_PRINTED_LOSS =
        EnumSet.of(PARALLEL, PARALLEL_NETWORK, PARALLEL_STOPPED, PARALLEL_FAILS, SHARED_GRADIENTS);

    private final String state;
    private final int steps;
    private final int totalSteps;
    private final String epoch;
    private final String totalEpochs;
    private final Integer percent;

    /** 0 steps in all, or null, stand for what must not be there. */
    Expected(
        String state,
        int steps,
        int totalSteps,
        String epoch,
        String totalEpochs,
        Integer percent) {
      this.state = state;
      this.steps = steps;
      this.totalSteps = totalSteps;
      this.epoch = epoch;
      this.totalEpochs = totalEpochs;
      this.percent = percent;
    }

    String training() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    int runs() {
      return TRAINED_BEFORE.contains(this) ? 2 : 1;
    }

    void assertTold(Report last) {
      assertThat(last.metric("state")).as(last.toString()).isEqualTo(state);
      assertThat(last.metric("current_step")).as("steps").isEqualTo(String.valueOf(steps));
      assertThat(last.metric("current_epoch")).as("epoch").isEqualTo(epoch);
      assertThat(last.progress()).as("percent").isEqualTo(percent);
      assertThat(last.metric("total_steps"))
          .as("steps in all")
          .isEqualTo(totalSteps == 0 ? null : String.valueOf(totalSteps));
      assertThat(last.metric("total_epochs")).as("epochs in all").isEqualTo(totalEpochs);
    }
  }

  @TestFactory
  Stream<DynamicTest> everyTrainingIsReportedAsWhatItWas() throws Exception {
    String[] all = Arrays.stream(Expected.values()).map(Expected::training).toArray(String[]::new);
    List<DynamicTest> tests = new ArrayList<>();
    for (Jdk jdk : Jdk.all().toList()) {
      String trainJob = "all-on-" + jdk.toString().replace(' ', '-');
      // One visible skip for a JDK that isn't there; the others' trainings count all the same.
      tests.addAll(
          jdk.isKnown()
              ? tests(jdk, trainJob, all)
              : List.of(DynamicTest.dynamicTest(jdk + ": every training", jdk::java)));
    }
    return tests.stream();
  }

  private static List<DynamicTest> tests(Jdk jdk, String trainJob, String[] all) throws Exception {
    Outcome reported =
        training(jdk, all).option("-Xverify:all").withAgent().reportingTo(endpoint, trainJob).run();
    Map<String, Report> lastOfRuns = endpoint.lastOfRuns(trainJob);
    Map<String, List<String>> printed = printedByTraining(reported);
    Map<String, List<String>> expectedToPrint = new LinkedHashMap<>(alone);
    List<Double> sameDiffLosses = all(expectedToPrint.remove(SAMEDIFF_LOSSES), "loss ");

    List<DynamicTest> tests = new ArrayList<>();
    tests.add(
        DynamicTest.dynamicTest(
            jdk + ": bit for bit",
            () -> {
              assertThat(reported.exitCode()).as(reported.err()).isZero();
              assertThat(printed).isEqualTo(expectedToPrint);
              assertThat(reported.waymarkLines())
                  .contains(
                      "[waymark] INFO attached to Deeplearning4j 1.0.0-M2.1",
                      "[waymark] INFO attached to SameDiff 1.0.0-M2.1",
                      "[waymark] INFO DL4J MultiLayerNetwork is not reported:"
                          + " DL4J MultiLayerNetwork is")
                  .noneMatch(line -> line.contains("some figures") || line.contains("incomplete"));
            }));
    int run = 0;
    for (Expected expected : Expected.values()) {
      run += expected.runs();
      Report last = lastOfRuns.get(String.valueOf(run));
      tests.add(
          DynamicTest.dynamicTest(
              jdk + ": " + expected.training(),
              () -> {
                assertThat(last).as(reported.err()).isNotNull();
                expected.assertTold(last);
                assertFiguresAre(printed.get(expected.training()), last);
                assertRateIs(expected, printed.get(expected.training()), last);
                if (Expected.OF_SAMEDIFF.contains(expected)) {
                  assertLossIsOneOf(sameDiffLosses, expected, last);
                } else if (Expected.WITHOUT_PRINTED_LOSS.contains(expected)) {
                  assertThat(Double.parseDouble(last.metric("loss"))).isBetween(0.1, 3.0);
                } else {
                  assertThat(last(printed.get(expected.training()), "loss ")).isPresent();
                }
              }));
    }
    return tests;
  }

  /** Lines of standard output by training; a ParallelWrapper is not reproducible. */
  private static Map<String, List<String>> printedByTraining(Outcome outcome) {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    List<String> present = new ArrayList<>();
    for (String line : outcome.out().lines().toList()) {
      if (line.startsWith("training ")) {
        present = lines.computeIfAbsent(line.substring(9), name -> new ArrayList<>());
      }
      present.add(line);
    }
    return lines;
  }

  /** Loss and evaluations are the last that the training has printed. */
  private static void assertFiguresAre(List<String> printed, Report last) {
    last(printed, "loss ")
        .ifPresent(
            loss -> {
              if (Double.isFinite(loss)) {
                assertThat(Double.parseDouble(last.metric("loss"))).isCloseTo(loss, within(1e-6));
              } else {
                assertThat(last.metric("loss")).isNull();
              }
            });
    assertEvaluationIs(printed, "accuracy ", last, "eval_accuracy");
    assertEvaluationIs(printed, "train accuracy ", last, "train_accuracy");
    assertEvaluationIs(printed, "score ", last, "eval_loss");
  }

  private static void assertEvaluationIs(
      List<String> printed, String line, Report last, String metric) {
    last(printed, line)
        .ifPresentOrElse(
            value ->
                assertThat(Double.parseDouble(last.metric(metric)))
                    .as(metric)
                    .isCloseTo(value, within(1e-7)),
            () -> assertThat(last.metric(metric)).as(metric).isNull());
  }

  /**
   * @param losses of the same training's iterations
   */
  private static void assertLossIsOneOf(List<Double> losses, Expected expected, Report last) {
    int first = Expected.WITH_ANY_END.contains(expected) ? 0 : expected.steps - 1;
    double loss = Double.parseDouble(last.metric("loss"));
    assertThat(losses.subList(first, expected.steps))
        .as("%s is one", loss)
        .anyMatch(one -> Math.abs(one - loss) < 1e-6);
  }

  /** A schedule of the program's own is not asked. */
  private static void assertRateIs(Expected expected, List<String> printed, Report last) {
    if (expected == Expected.SCHEDULED_BY_THE_PROGRAM) {
      assertThat(last.metric("learning_rate")).isNull();
      return;
    }
    double rate = Double.parseDouble(last.metric("learning_rate"));
    assertThat(rate).isPositive();
    last(printed, "rate ").ifPresent(told -> assertThat(rate).isEqualTo(told));
  }

  private static Optional<Double> last(List<String> printed, String start) {
    return all(printed, start).stream().reduce((before, after) -> after);
  }

  private static List<Double> all(List<String> printed, String start) {
    return printed.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> Double.valueOf(line.substring(start.length())))
        .toList();
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          # training,   exit, state,       step, epochs, percent
          dies,         1,    failed,      4,    -,      -
          exits,        3,    interrupted, 8,    5,      26
          exits-in-batch, 3,  interrupted, 3,    -,      -
          is-terminated, 143, interrupted, 8,    5,      26
          is-terminated-afterwards, 143, completed, 12, 2, 100
          """)
  void theEndOfTheJvmIsTheEndOfTheRun(
      String training, int exitCode, String state, String step, String epochs, Integer percent)
      throws Exception {
    Outcome outcome =
        training(Jdk.present(), training).withAgent().reportingTo(endpoint, training).run();

    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(exitCode);
    Report last = endpoint.last(training);
    assertThat(last.metric("state")).as(last.toString()).isEqualTo(state);
    assertThat(last.metric("current_step")).isEqualTo(step);
    assertThat(last.metric("total_epochs")).isEqualTo(epochs);
    assertThat(last.progress()).isEqualTo(percent);
  }

  @ParameterizedTest(name = "{0}, {1} planned: {2}")
  @CsvSource({
    "fit-one-epoch-loop, 3, completed, 100",
    "fit-one-epoch-loop, 6, interrupted, 50",
    "fit-epochs-loop, 6, completed, 100",
  })
  void fitsInALoopHaveThePlanOfTheSettings(
      String training, String planned, String state, int percent) throws Exception {
    String trainJob = training + "-planned-" + planned;
    Outcome outcome =
        training(Jdk.present(), training)
            .withEnvironment("WAYMARK_EPOCHS", planned)
            .withAgent()
            .reportingTo(endpoint, trainJob)
            .run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    Report last = endpoint.last(trainJob);
    assertThat(last.metric("state")).as(last.toString()).isEqualTo(state);
    assertThat(last.progress()).isEqualTo(percent);
    assertThat(last.metric("total_epochs")).isEqualTo(planned);
    assertThat(last.metric("run")).isEqualTo("1");
  }

  /** Memory that is freed at once shows what is read too late. */
  @ParameterizedTest
  @ValueSource(
      strings = {"-Dorg.nd4j.autodiff.samediff=false", "-Dorg.bytedeco.javacpp.maxbytes=0"})
  void theLossOfSameDiffIsReadWhateverBecomesOfItsMemory(String option) throws Exception {
    String trainJob = option.replaceAll("\\W+", "-");
    Outcome outcome =
        training(Jdk.present(), "samediff")
            .option(option)
            .withAgent()
            .reportingTo(endpoint, trainJob)
            .run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out().lines()).containsExactlyElementsOf(alone.get("samediff"));
    Report last = endpoint.last(trainJob);
    assertThat(last.metric("state")).as(last.toString()).isEqualTo("completed");
    assertLossIsOneOf(all(alone.get(SAMEDIFF_LOSSES), "loss "), Expected.SAMEDIFF, last);
  }

  @Test
  void aDeeplearning4jThatIsNotKnownIsLeftAlone() throws Exception {
    Path future =
        Jars.changed(
            folder.resolve("future-dl4j.jar"),
            Jars.dl4j(),
            ClassFiles.renaming(
                "org/deeplearning4j/optimize/solvers/BaseOptimizer",
                "incrementIterationCount",
                "countIterations"));

    Outcome outcome =
        training(Jdk.present(), List.of(future), "fit-epochs")
            .withAgent()
            .reportingTo(endpoint, "future-dl4j")
            .run();

    assertThat(outcome.out().lines())
        .as(outcome.err())
        .containsExactlyElementsOf(alone.get("fit-epochs"));
    assertThat(outcome.waymarkLines())
        .containsExactly(
            "[waymark] INFO not attached, the training runs without progress reports:"
                + " Deeplearning4j 1.0.0-M2.1 has no"
                + " org.deeplearning4j.optimize.solvers.BaseOptimizer.incrementIterationCount"
                + "(Lorg.deeplearning4j.nn.api.Model;I)V");
    assertThat(endpoint.of("future-dl4j")).isEmpty();
  }

  @Test
  void djlAndDeeplearning4jInOneProcessAreReportedInTurn() throws Exception {
    Outcome outcome =
        Program.onClassPath(Jdk.present(), classPath(List.of()), "example.BothFrameworks")
            .option(OFF_HEAP)
            .withAgent()
            .reportingTo(endpoint, "both")
            .run();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    List<Report> runs = List.copyOf(endpoint.lastOfRuns("both").values());
    assertThat(runs)
        .extracting(Dl4jIT::stateEpochStepAndPercent)
        .containsExactly("completed 4 40 100", "completed 5 30 100", "completed 4 40 100");
    assertFiguresAre(alone.get("fit-epochs"), runs.get(1));
    assertThat(Double.parseDouble(runs.get(2).metric("loss"))).isPositive();
    assertThat(runs.get(2).metric("loss")).isEqualTo(runs.get(0).metric("loss"));
    assertThat(outcome.waymarkLines())
        .contains(
            "[waymark] INFO attached to DJL 0.36.0",
            "[waymark] INFO attached to Deeplearning4j 1.0.0-M2.1");
  }

  private static String stateEpochStepAndPercent(Report report) {
    return String.join(
        " ",
        report.metric("state"),
        report.metric("current_epoch"),
        report.metric("current_step"),
        String.valueOf(report.progress()));
  }

  private static Program training(Jdk jdk, String... names) {
    return training(jdk, List.of(), names);
  }

  private static Program training(Jdk jdk, List<Path> first, String... names) {
    return Program.onClassPath(jdk, classPath(first), MAIN, names)
        .option(OFF_HEAP)
        .withEnvironment("OMP_NUM_THREADS", "1");
  }

  private static List<Path> classPath(List<Path> first) {
    List<Path> classPath = new ArrayList<>(first);
    classPath.add(program);
    classPath.addAll(Jars.dl4jAndItsNeeds());
    return classPath;
  }
}
