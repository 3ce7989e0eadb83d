package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.conformance.GoldenCase;
import dev.waymark.conformance.KnownDifference;
import dev.waymark.plan.TreeDifferences.Difference;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The planner against what upstream's controller really did, object by object, field by field. */
class ConformanceTest {

  /** What upstream rendered, or what it should have: the right values of every difference. */
  @ParameterizedTest(name = "{0}/{1}")
  @MethodSource("plannedByBoth")
  void rendersWhatUpstreamRendered(GoldenCase golden, String name) {
    TrainJob job = Golden.storedTrainJob(golden, 0, name);
    Map<String, Object> expected = Golden.made(golden, 0, job);
    OnPurpose.correct(golden.name() + "/" + name, expected);

    assertThat(JobSetTree.pretty(Golden.rendered(job, runtime(golden, job))))
        .isEqualTo(JobSetTree.pretty(expected));
  }

  static Stream<Arguments> plannedByBoth() {
    return planned()
        .filter(it -> !OnPurpose.PLANNED_HERE_ONLY.contains(it.get()[0] + "/" + it.get()[1]));
  }

  /** The same, as the project's list says it: both values of each difference. */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void rendersTheRightValue(KnownDifference known) {
    GoldenCase golden = GoldenCase.named(known.goldenCase());

    assertThat(differences(golden))
        .contains(new Difference(known.plainPath(), known.upstream(), known.waymark()));
  }

  static Stream<KnownDifference> rendersTheRightValue() {
    return KnownDifference.heldBy("ConformanceTest#rendersTheRightValue").stream();
  }

  /** After each step, and where the webhooks were bypassed. */
  private static List<Difference> differences(GoldenCase golden) {
    List<Difference> all = new ArrayList<>();
    for (int step = 0; step <= golden.steps(); step++) {
      all.addAll(differences(golden, "after-" + step + ": ", golden.after(step)));
    }
    Golden.findVariant("no-webhooks", golden)
        .ifPresent(state -> all.addAll(differences(golden, "after-0: ", state)));
    return all;
  }

  private static List<Difference> differences(GoldenCase golden, String file, JsonNode state) {
    List<Difference> all = new ArrayList<>();
    for (String name : golden.trainJobNames()) {
      JsonNode stored = state.path("objects").path("TrainJob/" + name);
      if (!stored.isMissingNode()) {
        TrainJob job = Golden.trainJob(golden, Golden.map(stored));
        Map<String, Object> made = Golden.made(state, job);
        Golden.runtime(golden, 0, job)
            .filter(runtime -> !made.isEmpty() && isPlanned(job, runtime))
            .ifPresent(
                runtime -> all.addAll(differences(file, made, Golden.rendered(job, runtime))));
      }
    }
    return all;
  }

  private static boolean isPlanned(TrainJob job, RuntimeResource runtime) {
    return TrainJobValidator.obstacles(new PlanRequest(job, runtime, Golden.CLUSTER)).isEmpty();
  }

  /** Nothing else differs than what the project's list names. */
  @ParameterizedTest(name = "{0}/{1}")
  @MethodSource("planned")
  void differsOnlyWhereThatIsKnown(GoldenCase golden, String name) {
    TrainJob job = Golden.storedTrainJob(golden, 0, name);

    assertThat(
            unknownDifferences(
                golden, Golden.made(golden, 0, job), Golden.rendered(job, runtime(golden, job))))
        .isEmpty();
  }

  /** Without the feature gate: no variables, no volume, no certificates. */
  @ParameterizedTest
  @ValueSource(strings = {"torch-default", "plain-no-policy", "suspend-create-resume"})
  void rendersWithoutProgress(String name) {
    GoldenCase golden = GoldenCase.named(name);
    JsonNode state = Golden.variant("no-gate", golden);
    for (String trainJob : golden.trainJobNames()) {
      TrainJob job = Golden.storedTrainJob(golden, 0, trainJob);

      assertThat(
              unknownDifferences(
                  golden,
                  Golden.made(state, job),
                  Golden.rendered(job, runtime(golden, job), ClusterSettings.NONE)))
          .isEmpty();
    }
  }

  /** What upstream's webhook would have refused is planned as upstream plans it. */
  @ParameterizedTest
  @ValueSource(strings = {"init-refused", "mpi-refused", "patch-time", "torch-reserved-env"})
  void plansWhatCameByTheWebhooks(String name) {
    GoldenCase golden = GoldenCase.named(name);
    JsonNode state = Golden.variant("no-webhooks", golden);
    for (String trainJob : golden.trainJobNames()) {
      TrainJob job =
          Golden.trainJob(golden, Golden.map(state.path("objects").path("TrainJob/" + trainJob)));

      assertThat(
              unknownDifferences(
                  golden, Golden.made(state, job), Golden.rendered(job, runtime(golden, job))))
          .isEmpty();
    }
  }

  private static List<Difference> unknownDifferences(
      GoldenCase golden, Map<String, Object> expected, Map<String, Object> rendered) {
    List<Difference> differences = differences("after-0: ", expected, rendered);
    differences.removeIf(it -> KnownDifferences.contain(golden.name(), it));
    return differences;
  }

  private static List<Difference> differences(
      String file, Map<String, Object> expected, Map<String, Object> rendered) {
    Set<String> keys = new TreeSet<>(expected.keySet());
    keys.addAll(rendered.keySet());
    List<Difference> differences = new ArrayList<>();
    for (String key : keys) {
      if (expected.containsKey(key) && rendered.containsKey(key)) {
        differences.addAll(
            TreeDifferences.between(file + key, expected.get(key), rendered.get(key)));
      } else {
        differences.add(new Difference(file + key, expected.get(key), rendered.get(key)));
      }
    }
    return differences;
  }

  static Stream<Arguments> planned() {
    return Golden.cases().stream()
        .flatMap(
            golden ->
                golden.trainJobNames().stream()
                    .filter(name -> golden.answerTo(name) == 201)
                    .filter(name -> !OnPurpose.NOT_PLANNED.contains(golden.name() + "/" + name))
                    .filter(name -> !OnPurpose.REFUSED.containsKey(golden.name() + "/" + name))
                    .map(name -> Arguments.of(golden, name)));
  }

  /** Upstream lets these in, and nothing ever runs. */
  @ParameterizedTest(name = "{0}/{1}")
  @MethodSource
  void refusesWhatWouldNeverRun(GoldenCase golden, String name) {
    TrainJob job = Golden.storedTrainJob(golden, 0, name);
    RuntimeResource runtime = runtime(golden, job);

    List<Refusal> refusals = TrainJobValidator.create(job, runtime, Golden.CLUSTER);

    assertThat(refusals).isNotEmpty().allMatch(it -> it.kind() == Refusal.Kind.FORBIDDEN);
    assertThat(refusals.toString()).contains(OnPurpose.REFUSED.get(golden.name() + "/" + name));
    assertThat(KnownDifferences.ofAnswer(golden.name(), "create: trainjobs " + name))
        .as("an entry for create: trainjobs " + name)
        .isPresent();
  }

  static Stream<Arguments> refusesWhatWouldNeverRun() {
    return OnPurpose.REFUSED.keySet().stream()
        .sorted()
        .map(key -> key.split("/"))
        .map(parts -> Arguments.of(GoldenCase.named(parts[0]), parts[1]));
  }

  private static RuntimeResource runtime(GoldenCase golden, TrainJob job) {
    return Golden.runtime(golden, 0, job).orElseThrow();
  }

  /** One that came past the webhooks is refused again where no pod could run. */
  @ParameterizedTest(name = "{0}/{1}")
  @MethodSource
  void plansNothingThatCouldNotRun(GoldenCase golden, String name) {
    TrainJob job = Golden.storedTrainJob(golden, 0, name);

    assertThatThrownBy(() -> Golden.rendered(job, runtime(golden, job)))
        .isInstanceOf(PlanRefusedException.class);
  }

  static Stream<Arguments> plansNothingThatCouldNotRun() {
    return refusesWhatWouldNeverRun()
        .filter(it -> !it.get()[0].toString().equals("jax-omitted-and-user-env"));
  }
}
