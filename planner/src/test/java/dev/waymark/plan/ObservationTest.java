package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.JobSetStatus;
import dev.waymark.trainer.api.JobSetStatus.ReplicatedJobStatus;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainerStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObservationTest {

  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.890Z");
  private static final String THEN = "2026-03-04T05:00:00Z";
  private static final String AT = "2026-03-04T05:06:07Z";

  /** Conditions as letters: Suspended, Complete, Failed, small where they are False. */
  @ParameterizedTest(name = "had {0}, suspend {1}, JobSet {2}: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-, false, -, -",
        "-, true, -, S",
        "S, true, -, S",
        "S, false, -, s",
        "s, false, -, s",
        "s, true, -, S",
        "-, false, C, C",
        "-, false, F, F",
        "s, false, C, sC",
        "S, true, C, SC",
        "C, true, C, C",
        "sC, true, C, sC",
        "C, false, -, C",
        "F, true, -, F",
        "-, false, S, -",
      })
  void saysWhatBecameOfIt(String had, boolean suspend, String jobSet, String expected) {
    TrainJob job = trainJob("suspend: " + suspend, had);

    Observation observation = Observation.of(job, jobSet(jobSet, 1), NOW);

    assertThat(letters(observation.status())).isEqualTo(expected == null ? "" : expected);
    assertThat(observation.deadline()).isEmpty();
    assertThat(observation.deleteJobSet()).isFalse();
  }

  @Test
  void usesUpstreamsWords() {
    assertThat(conditions(Observation.of(trainJob("suspend: true", null), null, NOW)))
        .containsExactly("Suspended True Suspended 'TrainJob is suspended' " + AT);
    assertThat(conditions(Observation.of(trainJob("suspend: false", "S"), null, NOW)))
        .containsExactly("Suspended False Resumed 'TrainJob is resumed' " + AT);
    assertThat(conditions(Observation.of(trainJob("", null), jobSet("C", 1), NOW)))
        .containsExactly("Complete True AllJobsCompleted 'of the JobSet' " + THEN);
    assertThat(conditions(Observation.of(trainJob("", null), jobSet("F", 1), NOW)))
        .containsExactly("Failed True FailedJobs 'of the JobSet' " + THEN);
  }

  @Test
  void keepsTheTimeOfWhatDoesNotChange() {
    assertThat(conditions(Observation.of(trainJob("suspend: true", "S"), null, NOW)))
        .containsExactly("Suspended True Suspended 'TrainJob is suspended' " + THEN);
  }

  @Test
  void copiesTheCountsAndKeepsWhatTheProgramSaid() {
    TrainJob job = trainJob("", "s");
    TrainerStatus said = new TrainerStatus(5, null, null, NOW);
    job.setStatus(new TrainJobStatus(job.getStatus().conditions(), null, said, null));

    TrainJobStatus status = Observation.of(job, jobSet(null, 1), NOW).status();

    assertThat(status.jobsStatus())
        .containsExactly(new TrainJobStatus.JobStatus("node", 1, 2, 3, 4, 5, null));
    assertThat(status.trainerStatus()).isEqualTo(said);
  }

  @Test
  void saysNothingWhereThereIsNothingToSay() {
    assertThat(Observation.of(trainJob("", null), null, NOW).status()).isNull();
    assertThat(Observation.of(trainJob("", null), new JobSet(), NOW).status()).isNull();
  }

  /** A JobSet without pods completes by itself, even while it is suspended. */
  @Test
  void isNotCompleteBecauseNothingWasToRun() {
    assertThat(
            letters(Observation.of(trainJob("suspend: true", null), jobSet("C", 0), NOW).status()))
        .isEqualTo("S");
    assertThat(
            letters(Observation.of(trainJob("suspend: false", "S"), jobSet("C", 0), NOW).status()))
        .isEqualTo("sC");
  }

  /** The caller passes no JobSet of another owner; what it says is then not taken over. */
  @Test
  void ignoresWhatIsNotItsOwn() {
    TrainJob job = trainJob("", null);
    job.getMetadata().setUid("own");
    JobSet foreign = jobSet("C", 1);
    JobSet own = Renderer.render(Planner.plan(job, Yaml.runtime("{}")), job).jobSet();

    assertThat(job.owns(foreign)).isFalse();
    assertThat(job.owns(own)).isTrue();
    own.getMetadata().getOwnerReferences().get(0).setUid("of an earlier TrainJob of that name");
    assertThat(job.owns(own)).isFalse();
    assertThat(Observation.of(job, null, NOW).status()).isNull();
  }

  /** Created at 05:00:00; looked at at 05:06:07.89. */
  @ParameterizedTest(name = "deadline {0}, had {1}, suspend {2}: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "300, -, false, -, F",
        "367, -, false, -, F",
        "368, -, false, 2026-03-04T05:06:08Z, -",
        "600, -, false, 2026-03-04T05:10:00Z, -",
        "300, S, true, -, S",
        "300, C, false, -, C",
        "300, s, false, -, sF",
        "600, s, false, 2026-03-04T05:10:00Z, s",
        "300, S, false, 2026-03-04T05:11:07Z, s",
        "31556888091802799, -, false, +1000000000-12-31T23:59:59Z, -",
        "31556888091802800, -, false, -, -",
        "9223372036854775807, -, false, -, -",
        "9223372036854775807, S, false, -, s",
      })
  void endsAtTheDeadline(
      long seconds, String had, boolean suspend, Instant deadline, String expected) {
    TrainJob job = trainJob("activeDeadlineSeconds: " + seconds + "\nsuspend: " + suspend, had);

    Observation observation = Observation.of(job, jobSet(null, 1), NOW);

    assertThat(observation.deadline()).isEqualTo(Optional.ofNullable(deadline));
    assertThat(letters(observation.status())).isEqualTo(expected == null ? "" : expected);
    boolean over = expected != null && expected.endsWith("F");
    assertThat(observation.deleteJobSet()).isEqualTo(over);
    assertThat(observation.status().jobsStatus())
        .containsExactly(
            over
                ? new TrainJobStatus.JobStatus("node", 0, 2, 3, 0, 0, null)
                : new TrainJobStatus.JobStatus("node", 1, 2, 3, 4, 5, null));
  }

  @Test
  void deletesTheJobSetUntilItHasGone() {
    TrainJob job = trainJob("activeDeadlineSeconds: 300", null);
    job.setStatus(Observation.of(job, jobSet(null, 1), NOW).status());
    assertThat(conditions(Observation.of(job, null, NOW)))
        .containsExactly(
            "Failed True DeadlineExceeded 'TrainJob exceeded its active deadline' " + AT);

    assertThat(Observation.of(job, jobSet("F", 1), NOW.plusSeconds(9)).deleteJobSet()).isTrue();
    assertThat(Observation.of(job, jobSet("F", 1), NOW.plusSeconds(9)).status())
        .isEqualTo(job.getStatus());
    assertThat(Observation.of(job, null, NOW.plusSeconds(9)).deleteJobSet()).isFalse();
  }

  @Test
  void failsWithAReasonOfItsOwn() {
    TrainJob job = trainJob("", null);
    job.setStatus(
        Observation.failed(job, Observation.RUNTIME_NOT_SUPPORTED, "no such runtime", NOW));

    assertThat(letters(job.getStatus())).isEqualTo("F");
    assertThat(Observation.isFinished(job)).isTrue();
    assertThat(Observation.isFinished(trainJob("", "S"))).isFalse();
  }

  @Test
  void leavesTheStatusOfAFinishedOneAlone() {
    TrainJob job = trainJob("", "C");

    assertThat(Observation.failed(job, Observation.RUNTIME_NOT_SUPPORTED, "late", NOW))
        .isEqualTo(job.getStatus());
  }

  private static TrainJob trainJob(String spec, String conditions) {
    TrainJob job = Yaml.trainJob(spec);
    job.getMetadata().setCreationTimestamp(THEN);
    if (conditions != null) {
      job.setStatus(
          new TrainJobStatus(
              conditions
                  .chars()
                  .mapToObj(it -> condition((char) it, "Suspended", "Complete"))
                  .toList(),
              null,
              null,
              null));
    }
    return job;
  }

  private static JobSet jobSet(String conditions, int pods) {
    TrainJob job = Yaml.trainJob("trainer: {numNodes: " + pods + "}");
    JobSet jobSet = Renderer.render(Planner.plan(job, Yaml.runtime("{}")), job).jobSet();
    List<Condition> all =
        conditions == null
            ? null
            : conditions
                .chars()
                .mapToObj(it -> condition((char) it, "Suspended", "Completed"))
                .toList();
    jobSet.setStatus(
        new JobSetStatus(
            all, List.of(new ReplicatedJobStatus("node", 1, 2, 3, 4, 5, null)), 0, null, null));
    return jobSet;
  }

  private static Condition condition(char letter, String suspended, String complete) {
    String type =
        switch (Character.toUpperCase(letter)) {
          case 'S' -> suspended;
          case 'C' -> complete;
          default -> "Failed";
        };
    String reason =
        switch (type) {
          case "Failed" -> "FailedJobs";
          case "Suspended" -> "Suspended";
          default -> "AllJobsCompleted";
        };
    return new ConditionBuilder()
        .withType(type)
        .withStatus(Character.isUpperCase(letter) ? "True" : "False")
        .withReason(reason)
        .withMessage("of the JobSet")
        .withLastTransitionTime(THEN)
        .build();
  }

  private static String letters(TrainJobStatus status) {
    StringBuilder letters = new StringBuilder();
    for (Condition it :
        status == null || status.conditions() == null
            ? List.<Condition>of()
            : status.conditions()) {
      String letter = it.getType().substring(0, 1);
      letters.append(it.getStatus().equals("True") ? letter : letter.toLowerCase(Locale.ROOT));
    }
    return letters.toString();
  }

  private static Stream<String> conditions(Observation observation) {
    return observation.status().conditions().stream()
        .map(
            it ->
                "%s %s %s '%s' %s"
                    .formatted(
                        it.getType(),
                        it.getStatus(),
                        it.getReason(),
                        it.getMessage(),
                        it.getLastTransitionTime()));
  }
}
