package dev.waymark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.TrainJob;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The framework's calls, in the order in which it was seen to make them. */
class ReconcileMetricsTest {

  private static final Map<String, Object> NOTHING = Map.of();

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final ReconcileMetrics metrics = new ReconcileMetrics(registry, 5);
  private final TrainJob trainJob = new TrainJob();

  @Test
  void aReconcileWaitsThenWorksThenIsOver() {
    metrics.reconciliationSubmitted(trainJob, null, NOTHING);
    assertWaitingAndActive(1, 0);

    metrics.reconciliationStarted(trainJob, NOTHING);
    assertWaitingAndActive(0, 1);

    metrics.reconciliationFinished(trainJob, null, NOTHING);
    assertWaitingAndActive(0, 0);
  }

  @Test
  void oneWhoseObjectWasDeletedMeanwhileNeitherWaitsNorWorks() {
    metrics.reconciliationSubmitted(trainJob, null, NOTHING);
    metrics.reconciliationFinished(trainJob, null, NOTHING);

    assertWaitingAndActive(0, 0);
  }

  /** An event that came meanwhile is submitted before the framework tells that it finished. */
  @Test
  void theNextReconcileOfAnObjectIsAnother() throws Exception {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try {
      metrics.reconciliationSubmitted(trainJob, null, NOTHING);
      metrics.reconciliationStarted(trainJob, NOTHING);
      metrics.reconciliationSubmitted(trainJob, null, NOTHING);
      assertWaitingAndActive(1, 1);
      worker.submit(() -> metrics.reconciliationStarted(trainJob, NOTHING)).get();
      assertWaitingAndActive(0, 2);
      metrics.reconciliationFinished(trainJob, null, NOTHING);
      assertWaitingAndActive(0, 1);
      worker.submit(() -> metrics.reconciliationFinished(trainJob, null, NOTHING)).get();
      assertWaitingAndActive(0, 0);
    } finally {
      worker.shutdownNow();
    }
  }

  private void assertWaitingAndActive(int waiting, int active) {
    assertThat(value("workqueue_depth")).isEqualTo(waiting);
    assertThat(value("controller_runtime_active_workers")).isEqualTo(active);
  }

  /** Of the only series; 0 while there is none. */
  private double value(String name) {
    MetricSnapshot metric = registry.scrape(name::equals).stream().findFirst().orElseThrow();
    return ((GaugeSnapshot) metric)
        .getDataPoints().stream().mapToDouble(GaugeSnapshot.GaugeDataPointSnapshot::getValue).sum();
  }
}
