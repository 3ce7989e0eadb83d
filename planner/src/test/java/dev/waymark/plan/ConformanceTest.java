package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.conformance.GoldenCase;
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

  private static List<String> unknownDifferences(
      GoldenCase golden, Map<String, Object> expected, Map<String, Object> rendered) {
    Set<String> keys = new TreeSet<>(expected.keySet());
    keys.addAll(rendered.keySet());
    List<String> differences = new ArrayList<>();
    for (String key : keys) {
      String path = "after-0: " + key;
      if (expected.containsKey(key) && rendered.containsKey(key)) {
        differences.addAll(TreeDifferences.between(path, expected.get(key), rendered.get(key)));
      } else {
        differences.add(path);
      }
    }
    differences.removeIf(path -> KnownDifferences.contain(golden.name(), path));
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
    assertThat(KnownDifferences.contain(golden.name(), "create: trainjobs " + name))
        .as("an entry for create: trainjobs " + name)
        .isTrue();
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
