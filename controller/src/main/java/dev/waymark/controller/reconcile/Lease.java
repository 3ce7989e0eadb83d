package dev.waymark.controller.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.ControllerConfiguration.LeaderElection;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.controller.reconcile.Reconcilers.Home;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lease that says who leads. The framework takes and renews it; it can't give it back (JOSDK
 * 5.3.2 fixes {@code releaseOnCancel} to false), so that others would wait until it runs out.
 */
final class Lease {

  private static final Logger log = LoggerFactory.getLogger(Lease.class);

  private static final long LIMIT_SECONDS = 2;

  private final ApiServer apiServer;
  private final ResourcePath path;
  private final String identity;

  Lease(ApiServer apiServer, LeaderElection settings, Home home) {
    this.apiServer = apiServer;
    this.identity = home.identity();
    path =
        ResourcePath.of(
            "coordination.k8s.io/v1", "leases", namespace(settings, home), settings.leaseName());
  }

  static String namespace(LeaderElection settings, Home home) {
    return settings.leaseNamespace().isEmpty() ? home.namespace() : settings.leaseNamespace();
  }

  /** Gives the Lease back if it still is this replica's; waits for at most 2 s. */
  void release() {
    try {
      apiServer.get(path).thenCompose(this::release).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.info("The lease was not given back, others take over when it runs out: {}", e.toString());
    }
  }

  private CompletableFuture<byte[]> release(JsonNode lease) {
    if (!identity.equals(lease.path("spec").path("holderIdentity").asText())) {
      return CompletableFuture.completedFuture(null);
    }
    Map<String, Object> given =
        Map.of(
            "metadata",
            Map.of("resourceVersion", lease.path("metadata").path("resourceVersion").asText()),
            "spec",
            Map.of("holderIdentity", "", "leaseDurationSeconds", 1));
    return apiServer.merge(path, Writes.UPDATE_MANAGER, given);
  }
}
