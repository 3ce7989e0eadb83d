package dev.waymark.controller.metrics;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;

/**
 * How the reconcilers do: how many reconciles there were, how long they took, how many wait for a
 * worker. Named as controller-runtime names them, so that dashboards for Go controllers show them.
 *
 * <p>Not each reconcile that is submitted starts: when its object was deleted meanwhile, the
 * framework (JOSDK 5.3.2) tells that it finished, on the thread that would have run it, and nothing
 * before.
 */
public final class ReconcileMetrics implements Metrics {

  private static final double[] SECONDS = {
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60
  };

  private final Counter reconciles;
  private final Counter errors;
  private final Histogram time;
  private final Gauge active;
  private final Gauge depth;

  /** Whether the reconcile that this thread is at has started. */
  private final ThreadLocal<Boolean> started = ThreadLocal.withInitial(() -> false);

  /** Registers the metrics. */
  public ReconcileMetrics(PrometheusRegistry registry, int workers) {
    reconciles =
        Counter.builder()
            .name("controller_runtime_reconcile_total")
            .help("Reconciles by how they ended")
            .labelNames("controller", "result")
            .register(registry);
    errors =
        Counter.builder()
            .name("controller_runtime_reconcile_errors_total")
            .help("Reconciles that failed")
            .labelNames("controller")
            .register(registry);
    time =
        Histogram.builder()
            .name("controller_runtime_reconcile_time_seconds")
            .help("Time of a reconcile")
            .labelNames("controller")
            .classicOnly()
            .classicUpperBounds(SECONDS)
            .register(registry);
    active =
        Gauge.builder()
            .name("controller_runtime_active_workers")
            .help("Reconciles under way")
            .labelNames("controller")
            .register(registry);
    depth =
        Gauge.builder()
            .name("workqueue_depth")
            .help("Objects that wait for a worker")
            .labelNames("name")
            .register(registry);
    Gauge.builder()
        .name("controller_runtime_max_concurrent_reconciles")
        .help("Most reconciles at a time, of all controllers together")
        .register(registry)
        .set(workers);
  }

  @Override
  public void reconciliationSubmitted(
      HasMetadata resource, RetryInfo retry, Map<String, Object> metadata) {
    depth.labelValues(controller(resource)).inc();
  }

  @Override
  public void reconciliationStarted(HasMetadata resource, Map<String, Object> metadata) {
    started.set(true);
    depth.labelValues(controller(resource)).dec();
    active.labelValues(controller(resource)).inc();
  }

  @Override
  public void reconciliationFinished(
      HasMetadata resource, RetryInfo retry, Map<String, Object> metadata) {
    (started.get() ? active : depth).labelValues(controller(resource)).dec();
    started.remove();
  }

  @Override
  public void reconciliationSucceeded(HasMetadata resource, Map<String, Object> metadata) {
    reconciles.labelValues(controller(resource), "success").inc();
  }

  @Override
  public void reconciliationFailed(
      HasMetadata resource, RetryInfo retry, Exception exception, Map<String, Object> metadata) {
    reconciles.labelValues(controller(resource), "error").inc();
    errors.labelValues(controller(resource)).inc();
  }

  @Override
  public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
    long start = System.nanoTime();
    try {
      return execution.execute();
    } finally {
      time.labelValues(execution.controllerName()).observe((System.nanoTime() - start) / 1e9);
    }
  }

  private static String controller(HasMetadata resource) {
    return resource.getKind().toLowerCase(java.util.Locale.ROOT) + "_controller";
  }
}
