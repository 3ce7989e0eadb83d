package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.trainer.api.TrainJob;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The planner against what upstream's controller really did, job by job, field by field. */
class ConformanceTest {

  private static final List<Conformance> GOLDEN = Conformance.all();

  @ParameterizedTest(name = "{0}/{1}")
  @MethodSource("planned")
  void plansWhatUpstreamPlans(String folder, String name, Conformance golden) {
    TrainJob job = golden.trainJob(name);
    JobSetTree expected = JobSetTree.ofUpstream(golden.jobSets().get(name));
    OnPurpose.correct(folder + "/" + name, expected);

    JobSetTree planned = JobSetTree.ofPlan(golden.plan(job));

    assertThat(planned.pretty()).isEqualTo(expected.pretty());
  }

  static Stream<Arguments> planned() {
    return cases((answer, key) -> answer == 201 && !OnPurpose.REFUSED.containsKey(key));
  }

  @ParameterizedTest(name = "{0}/{1}")
  @MethodSource("refused")
  void refusesWhatUpstreamRefuses(String folder, String name, Conformance golden) {
    TrainJob job = golden.trainJob(name);

    assertThatThrownBy(() -> golden.plan(job))
        .isInstanceOf(PlanRefusedException.class)
        .hasMessageContaining(OnPurpose.REFUSED.getOrDefault(folder + "/" + name, ""));
  }

  static Stream<Arguments> refused() {
    return cases(
        (answer, key) ->
            OnPurpose.REFUSED.containsKey(key)
                || (answer != 201 && !OnPurpose.ACCEPTED.contains(key)));
  }

  private interface Choice {
    boolean takes(int answer, String key);
  }

  private static Stream<Arguments> cases(Choice choice) {
    return GOLDEN.stream()
        .flatMap(
            golden ->
                golden.answers().entrySet().stream()
                    .filter(
                        answer ->
                            choice.takes(answer.getValue(), golden.name() + "/" + answer.getKey()))
                    .map(answer -> Arguments.of(golden.name(), answer.getKey(), golden)));
  }
}
