package dev.waymark.controller.metrics;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.ByteBuffer;
import java.util.List;

/** How the API server answers the controller's requests. */
public final class ApiClientMetrics implements Interceptor {

  private final Counter requests;

  /** Registers the metric. */
  public ApiClientMetrics(PrometheusRegistry registry) {
    requests =
        Counter.builder()
            .name("rest_client_requests_total")
            .help("Requests to the API server, by method and code of the answer")
            .labelNames("method", "code")
            .register(registry);
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    requests.labelValues(request.method(), Integer.toString(response.code())).inc();
  }

  @Override
  public void afterConnectionFailure(HttpRequest request, Throwable failure) {
    requests.labelValues(request.method(), "<error>").inc();
  }
}
