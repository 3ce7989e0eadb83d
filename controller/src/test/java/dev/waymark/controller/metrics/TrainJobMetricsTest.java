package dev.waymark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.controller.reconcile.TrainJobObserver.KnownRuntimes;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainJobMetricsTest {

  private static final Instant START = Instant.parse("2026-01-02T03:00:00Z");

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final TrainJobMetrics metrics = new TrainJobMetrics(registry);
  private RuntimeResource runtime = runtime("torch");

  private final KnownRuntimes runtimes =
      new KnownRuntimes() {
        @Override
        public Stream<RuntimeResource> all() {
          return Stream.ofNullable(runtime);
        }

        @Override
        public Optional<? extends RuntimeResource> find(RuntimeRef ref, String namespace) {
          return Optional.ofNullable(runtime);
        }
      };

  @Test
  void onlyTheLeaderTellsThem() {
    metrics.seen(trainJob("early", START.plusSeconds(1)));
    assertThat(text()).isEmpty();

    metrics.startedLeading(runtimes, Stream.empty());
    metrics.seen(trainJob("a", START.plusSeconds(1)));
    assertThat(text())
        .contains(
            "kubeflow_trainer_trainjob_created_total{namespace=\"team-a\",runtime_ref=\"plain\"}"
                + " 1.0");

    metrics.stoppedLeading();
    assertThat(text()).isEmpty();
  }

  /** By what was there, not by the time: the API server's clock may be ahead or behind. */
  @ParameterizedTest
  @ValueSource(ints = {-3600, -1, 0, 1, 3600})
  void countsOnlyTrainJobsThatWereCreatedSinceItLeadsAndEachOnce(int clockOfTheApiServer) {
    Instant creation = START.plusSeconds(clockOfTheApiServer);
    metrics.startedLeading(runtimes, Stream.of(trainJob("old", creation)));
    metrics.seen(trainJob("old", creation));
    metrics.seen(trainJob("new", creation));
    metrics.seen(trainJob("new", creation));

    assertThat(text())
        .contains("created_total{namespace=\"team-a\",runtime_ref=\"plain\"} 1.0")
        .contains("requested_training_nodes_per_job_sum{runtime_ref=\"plain\"} 3.0");
  }

  /** Without a leader election the reconcilers run before anybody says that they lead. */
  @Test
  void countsWhatFinishesWhileItBeginsToLead() {
    TrainJob trainJob = trainJob("early", START);
    metrics.seen(trainJob);
    metrics.finished(trainJob, status("Complete", "AllJobsCompleted", START.plusSeconds(1)));

    metrics.startedLeading(runtimes, Stream.of(trainJob));

    assertThat(text())
        .doesNotContain("created_total{")
        .contains(
            "finished_total{namespace=\"team-a\",reason=\"AllJobsCompleted\","
                + "result=\"complete\",runtime_ref=\"plain\"} 1.0");
  }

  @Test
  void countsNothingWhenItLeadsNoMore() {
    metrics.startedLeading(runtimes, Stream.empty());
    metrics.stoppedLeading();
    metrics.seen(trainJob("late", START));
    metrics.finished(
        trainJob("late", START), status("Complete", "AllJobsCompleted", START.plusSeconds(1)));

    metrics.startedLeading(runtimes, Stream.empty());
    assertThat(text()).doesNotContain("created_total{").doesNotContain("finished_total{");
  }

  @ParameterizedTest
  @CsvSource({
    "Complete,AllJobsCompleted,complete,AllJobsCompleted",
    "Failed,FailedJobs,failed,FailedJobs",
    "Failed,ReachedMaxRestarts,failed,ReachedMaxRestarts",
    "Failed,FailJobSetFailurePolicyAction,failed,FailJobSetFailurePolicyAction",
    "Failed,DeadlineExceeded,failed,DeadlineExceeded",
    "Failed,TrainingRuntimeNotSupported,failed,TrainingRuntimeNotSupported",
    "Failed,anything demo-4711 else,failed,other"
  })
  void tellsWhyTrainJobsFinish(String type, String reason, String result, String told) {
    metrics.startedLeading(runtimes, Stream.empty());
    TrainJob trainJob = trainJob("a", START);
    TrainJobStatus status = status(type, reason, START.plusSeconds(90));

    metrics.finished(trainJob, status);
    metrics.finished(trainJob, status);

    assertThat(text())
        .contains(
            "kubeflow_trainer_trainjob_finished_total{namespace=\"team-a\",reason=\""
                + told
                + "\",result=\""
                + result
                + "\",runtime_ref=\"plain\"} 1.0")
        .contains(
            "lifetime_seconds_bucket{result=\""
                + result
                + "\",runtime_ref=\"plain\",le=\"60.0\"} 0")
        .contains(
            "lifetime_seconds_bucket{result=\""
                + result
                + "\",runtime_ref=\"plain\",le=\"300.0\"} 1");
  }

  @Test
  void tellsTheRuntimesThatThereAreNow() {
    metrics.startedLeading(runtimes, Stream.empty());
    assertThat(text())
        .contains(
            "kubeflow_trainer_runtime_info{framework=\"torch\",kind=\"ClusterTrainingRuntime\","
                + "namespace=\"\",runtime_ref=\"plain\"} 1");

    runtime = null;
    assertThat(text()).doesNotContain("runtime_info{");
  }

  private String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, registry.scrape(), EscapingScheme.DEFAULT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static RuntimeResource runtime(String framework) {
    return TrainerJson.fromMap(
        Map.of(
            "metadata",
            Map.of("name", "plain", "labels", Map.of("trainer.kubeflow.org/framework", framework)),
            "spec",
            Map.of("mlPolicy", Map.of("numNodes", 3))),
        ClusterTrainingRuntime.class);
  }

  private static TrainJob trainJob(String uid, Instant created) {
    return TrainerJson.fromMap(
        Map.of(
            "metadata",
            Map.of(
                "name",
                uid,
                "namespace",
                "team-a",
                "uid",
                uid,
                "creationTimestamp",
                created.toString()),
            "spec",
            Map.of("runtimeRef", Map.of("name", "plain"))),
        TrainJob.class);
  }

  private static TrainJobStatus status(String type, String reason, Instant time) {
    Condition condition =
        new ConditionBuilder()
            .withType(type)
            .withStatus("True")
            .withReason(reason)
            .withLastTransitionTime(time.toString())
            .build();
    return new TrainJobStatus(List.of(condition), null, null, Map.of());
  }
}
