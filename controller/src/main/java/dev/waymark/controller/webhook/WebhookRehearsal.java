package dev.waymark.controller.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.Practice;
import dev.waymark.controller.SampleTrainJob;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ClusterConnection;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.plan.ClusterSettings;
import dev.waymark.status.http.WebServer;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Asks webhooks about the sample, as an API server does when a user creates one. They have a server
 * of their own, which nobody beyond this machine can reach, and the client that asks is the one
 * that writes to API servers: so both ways, out of this process and into it, are practised with
 * their TLS.
 */
final class WebhookRehearsal implements Practice {

  /** A handshake is much work, so few make it quick. */
  private static final int ROUNDS_PER_HANDSHAKE = 15;

  private static final JsonNode QUESTION =
      ApiServer.parse(
          """
          {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
            "uid": "sample", "operation": "CREATE", "namespace": "sample", "name": "sample",
            "kind": {"group": "trainer.kubeflow.org", "version": "v1alpha1", "kind": "TrainJob"},
            "userInfo": {"username": "sample", "groups": ["system:authenticated"]},
            "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"},
            "object": %s}}
          """
              .formatted(SampleTrainJob.JSON)
              .getBytes(StandardCharsets.UTF_8));

  /** One, since those of the real webhooks would be kept for a while. */
  private final ExecutorService executor = Executors.newSingleThreadExecutor();

  private final List<ResourcePath> paths;
  private final WebServer server;
  private final KubernetesClient client;
  private final ApiServer webhooks;
  private int rounds;

  /**
   * Begins to serve.
   *
   * @param serverOf describes a server of webhooks by their paths, and who has them decide
   */
  WebhookRehearsal(
      Vertx vertx, BiFunction<Map<String, Webhook>, Executor, WebServer.Builder> serverOf) {
    Map<ResourcePath, Webhook> ofTrainJobs =
        WebhookServer.webhooks(new OneRuntime(), Clock.systemUTC()).entrySet().stream()
            .filter(webhook -> webhook.getKey().endsWith("-trainjob"))
            .collect(Collectors.toMap(webhook -> path(webhook.getKey()), Map.Entry::getValue));
    paths = List.copyOf(ofTrainJobs.keySet());
    try {
      server =
          serverOf
              .apply(
                  ofTrainJobs.entrySet().stream()
                      .collect(Collectors.toMap(it -> it.getKey().path(), Map.Entry::getValue)),
                  executor)
              .host(InetAddress.getLoopbackAddress().getHostAddress())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    client = ClusterConnection.ofThisProcess(server.port(), vertx);
    webhooks = new ApiServer(client);
  }

  /** Where a webhook would be if it were a kind of objects, the only places that the client has. */
  private static ResourcePath path(String webhook) {
    return ResourcePath.of("v1", webhook.substring(1), null, null);
  }

  @Override
  public void round() {
    ask();
    if (rounds++ % ROUNDS_PER_HANDSHAKE == 0) {
      // An API server opens a connection for each user who waits, all at once.
      server.probe().exceptionally(failure -> null).toCompletableFuture().join();
    }
  }

  /** Asks all webhooks of TrainJobs, all at once; returns what they answered. */
  List<byte[]> ask() {
    return paths.stream().map(path -> webhooks.create(path, QUESTION)).toList().stream()
        .map(CompletableFuture::join)
        .toList();
  }

  @Override
  public void close() {
    client.close();
    server.close();
    executor.shutdownNow();
  }

  /** A cluster that has the sample's runtime and nothing else. */
  private static final class OneRuntime implements AdmissionState {

    private final RuntimeResource runtime = SampleTrainJob.runtime();
    private final ClusterSettings settings = SampleTrainJob.settings();

    @Override
    public Optional<RuntimeResource> runtime(TrainJob trainJob) {
      return Optional.of(runtime);
    }

    @Override
    public Optional<RuntimeResource> runtimeOfStored(TrainJob trainJob) {
      return Optional.of(runtime);
    }

    @Override
    public Optional<JobSet> jobSet(TrainJob trainJob) {
      return Optional.empty();
    }

    @Override
    public ClusterSettings settings() {
      return settings;
    }
  }
}
