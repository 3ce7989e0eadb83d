package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReporterTest {
  private final Map<String, String> environment =
      new ConcurrentHashMap<>(
          Map.of(
              "KUBEFLOW_TRAINER_SERVER_URL", "https://recording/status",
              "KUBEFLOW_TRAINER_SERVER_TOKEN", "/no/such/token",
              "WAYMARK_INTERVAL", "1",
              "WAYMARK_LOG", "debug"));
  private final List<RecordingEndpoint> endpoints = new ArrayList<>();
  private final ManualClock clock = new ManualClock();
  private final LogLines lines = new LogLines();
  private final Reporter reporter = reporter();

  private Reporter reporter() {
    return new Reporter(
        environment::get,
        settings -> {
          endpoints.add(new RecordingEndpoint());
          return endpoints.get(endpoints.size() - 1);
        },
        () -> Map.of("gpu_0_utilization", 97L),
        clock,
        Clock.systemUTC());
  }

  /** Nothing stays behind: when all runs have ended, time does the rest. */
  @AfterEach
  void endsByItself() {
    lines.close();
    System.clearProperty(Reporter.BY_HAND);
    System.clearProperty(Reporter.TOLD);
    for (RecordingEndpoint endpoint : endpoints) {
      await()
          .untilAsserted(
              () -> {
                clock.advanceSeconds(5);
                PromptSender.flush(reporter);
                assertThat(endpoint.isClosed()).isTrue();
              });
    }
  }

  @Test
  void isFreeAndSilentOutsideATrainJob() {
    environment.remove("KUBEFLOW_TRAINER_SERVER_URL");

    assertThat(reporter.start()).isSameAs(TrainingRun.inert());
    assertThat(reporter.attach("trainer")).isSameAs(TrainingRun.inert());

    assertThat(endpoints).isEmpty();
    assertThat(System.getProperty(Reporter.BY_HAND)).isNull();
    assertThat(lines.all()).isEmpty();
  }

  @Test
  void reportsARunFromItsBeginningToItsEnd() {
    TrainingRun run = reporter.start();
    assertThat(run.isReported()).isTrue();
    run.planSteps(10);
    await().until(() -> states().contains("1 running"));
    assertThat(RecordingEndpoint.metrics(statuses().get(0)))
        .containsEntry("gpu_0_utilization", "97");

    run.step(0.5);
    run.complete();

    await().until(() -> states().contains("1 completed"));
    assertThat(last().get("progressPercentage").intValue()).isEqualTo(100);
    assertThat(last().get("estimatedRemainingSeconds").intValue()).isZero();
    assertThat(RecordingEndpoint.metrics(last()))
        .containsEntry("loss", "0.5")
        .containsEntry("current_step", "1");
    assertThat(run.hasEnded()).isTrue();
    assertThat(lines.infos())
        .containsExactly("training progress is reported to https://recording every 1 s");
    assertThat(lines.warnings()).isEmpty();
  }

  @Test
  void countsTheRunsOfAProcess() {
    for (int i = 0; i < 3; i++) {
      try (TrainingRun run = reporter.start()) {
        run.step();
      }
    }
    await().until(() -> states().size() >= 3);
    assertThat(states())
        .containsSubsequence("1 stopped_early", "2 stopped_early", "3 stopped_early");
    assertThat(endpoints).hasSize(1);
  }

  @Test
  void reportsTheFirstOfTwoAtOnceAndNamesTheOther() {
    TrainingRun first = reporter.attach("Trainer A");
    TrainingRun second = reporter.attach("Trainer B");

    assertThat(first.isReported()).isTrue();
    assertThat(second.isReported()).isFalse();
    assertThat(lines.infos()).contains("Trainer B is not reported: Trainer A is");

    first.complete();
    TrainingRun third = reporter.attach("Trainer C");
    assertThat(third.isReported()).isTrue();
    third.complete();
    await().until(() -> states().contains("2 completed"));
  }

  @Test
  void theAgentStandsAsideOnceTheProgramReportsByHand() {
    TrainingRun byHand = reporter.start();
    byHand.complete();

    assertThat(reporter.attach("trainer").isReported()).isFalse();
    assertThat(reporter.attach("trainer").isReported()).isFalse();

    assertThat(lines.infos())
        .containsOnlyOnce("the program reports by hand; the agent stands aside");
  }

  @Test
  void aRunByHandTakesOverFromTheAgents() {
    TrainingRun attached = reporter.attach("trainer");
    TrainingRun byHand = reporter.start();

    assertThat(attached.isReported()).isFalse();
    assertThat(byHand.isReported()).isTrue();
    attached.complete();
    byHand.stoppedEarly();

    await().until(() -> states().contains("2 stopped_early"));
    assertThat(states()).doesNotContain("1 completed");
  }

  @Test
  void theAgentsRunStandsAsideForAnotherCopyOfTheClasses() {
    TrainingRun attached = reporter.attach("trainer");
    await().until(() -> states().contains("1 running"));

    Reporter programs = reporter();
    TrainingRun byHand = programs.start();

    await().until(() -> !attached.isReported());
    assertThat(lines.infos())
        .containsOnlyOnce("the program reports by hand; the agent stands aside");
    byHand.complete();
    assertThat(attached.hasEnded()).isFalse();
    assertThat(lines.infos())
        .containsOnlyOnce("training progress is reported to https://recording every 1 s");
  }

  @Test
  void anAgentThatStandsAsideReportsNothingMore() {
    TrainingRun attached = reporter.attach("trainer");
    attached.planSteps(4);
    attached.step();
    await().until(() -> states().contains("1 running"));

    reporter.standAside();
    attached.complete();
    TrainingRun next = reporter.attach("trainer");
    TrainingRun byHand = reporter.start();
    byHand.complete();

    await().until(() -> states().contains("2 completed"));
    assertThat(attached.isReported()).isFalse();
    assertThat(next.isReported()).isFalse();
    assertThat(states()).doesNotContain("1 completed");
  }

  @Test
  void anAgentThatStandsAsideBeforeItHasAttachedAnythingNeverReports() {
    reporter.standAside();

    assertThat(reporter.attach("trainer").isReported()).isFalse();
    assertThat(endpoints).isEmpty();
  }

  @Test
  void onlyTheLeaderReports() {
    environment.put("JOB_COMPLETION_INDEX", "2");

    assertThat(reporter.start().isReported()).isFalse();
    assertThat(reporter.start().isReported()).isFalse();

    assertThat(lines.infos())
        .containsExactly(
            "this process has rank 2 (JOB_COMPLETION_INDEX): only the leader of a job, rank 0,"
                + " reports");
    assertThat(endpoints).isEmpty();
  }

  @Test
  void listsAllProblemsInOneWarning() {
    environment.put("KUBEFLOW_TRAINER_SERVER_URL", "ftp://host");
    environment.put("WAYMARK_EPOCHS", "ten");

    assertThat(reporter.start().isReported()).isFalse();
    assertThat(reporter.start().isReported()).isFalse();

    assertThat(lines.warnings())
        .singleElement()
        .asString()
        .contains("KUBEFLOW_TRAINER_SERVER_URL", "WAYMARK_EPOCHS is \"ten\"");
  }

  @Test
  void readsTheSettingsAgainUntilItReports() {
    String url = environment.remove("KUBEFLOW_TRAINER_SERVER_URL");
    assertThat(reporter.start().isReported()).isFalse();

    environment.put("KUBEFLOW_TRAINER_SERVER_URL", url);
    TrainingRun run = reporter.start();
    assertThat(run.isReported()).isTrue();
    run.complete();

    environment.remove("KUBEFLOW_TRAINER_SERVER_URL");
    TrainingRun next = reporter.start();
    assertThat(next.isReported()).isTrue();
    next.complete();
  }

  @Test
  void endsItsThreadWhenThereIsNothingMoreToSayAndStartsAnew() {
    reporter.start().complete();
    await()
        .untilAsserted(
            () -> {
              clock.advanceSeconds(5);
              assertThat(endpoints.get(0).isClosed()).isTrue();
            });

    TrainingRun next = reporter.start();
    assertThat(endpoints).hasSize(2);
    next.complete();
    await().until(() -> endpoints.get(1).runsAndStates().contains("2 completed"));
    assertThat(lines.infos()).as("where it reports to is told once").hasSize(1);
  }

  @Test
  void keepsItsThreadWhileARunIsLive() {
    TrainingRun run = reporter.start();
    await().until(() -> states().contains("1 running"));
    clock.advanceSeconds(3600);
    run.step();
    await().until(() -> states().size() == 2);
    clock.advanceSeconds(3600);
    run.complete();
    await().until(() -> states().contains("1 completed"));
    assertThat(endpoints).hasSize(1);
  }

  @Test
  void neverThrowsWhateverIsWrong() {
    Reporter broken =
        new Reporter(
            name -> {
              throw new IllegalStateException("no settings here");
            },
            settings -> new RecordingEndpoint(),
            Map::of,
            clock,
            Clock.systemUTC());

    assertThat(TrainingRun.orInert(broken::start)).isSameAs(TrainingRun.inert());
    assertThat(lines.warnings())
        .containsExactly(
            "nothing is reported, by a defect of Waymark's: java.lang.IllegalStateException: no"
                + " settings here");
  }

  @Test
  void aRunThatCannotBeginKeepsNoOtherFromIt() {
    AtomicBoolean broken = new AtomicBoolean(true);
    Reporter recovering =
        new Reporter(
            environment::get,
            settings -> {
              if (broken.getAndSet(false)) {
                throw new SecurityException("not allowed");
              }
              endpoints.add(new RecordingEndpoint());
              return endpoints.get(0);
            },
            Map::of,
            clock,
            Clock.systemUTC());

    assertThat(TrainingRun.orInert(recovering::start)).isSameAs(TrainingRun.inert());
    TrainingRun next = recovering.start();
    assertThat(next.isReported()).isTrue();
    next.complete();
    await().until(() -> states().contains("1 completed"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "", "   "})
  void takesATrainerWithoutAName(String name) {
    TrainingRun first = reporter.attach("Trainer A");
    assertThat(reporter.attach(name.equals("null") ? null : name).isReported()).isFalse();
    assertThat(lines.infos()).contains("a trainer is not reported: Trainer A is");
    first.complete();
  }

  private List<String> states() {
    return endpoints.get(0).runsAndStates();
  }

  private List<JsonNode> statuses() {
    return endpoints.get(0).statuses();
  }

  private JsonNode last() {
    return statuses().get(statuses().size() - 1);
  }
}
