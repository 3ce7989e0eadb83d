package dev.waymark.cli.cluster.tests;

import dev.waymark.testbed.Cluster;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A node that runs nothing and hands out logs: what the API server asks a kubelet for when somebody
 * reads a log.
 */
final class StandInNode implements AutoCloseable {

  private final KubernetesClient client;
  private final Vertx vertx = Vertx.vertx();
  private final Node node;
  private final Map<String, List<HttpServerResponse>> followers = new ConcurrentHashMap<>();
  private final Map<String, String> logs = new ConcurrentHashMap<>();

  /** Whether a cluster is one of the testbed's, whose authority vouches for such a node. */
  static boolean isPossibleIn(Cluster cluster) {
    return Files.isReadable(key(cluster, "apiserver.key"));
  }

  StandInNode(Cluster cluster, KubernetesClient client) {
    this.client = client;
    HttpServer server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setKeyCertOptions(
                        // Of the same authority, and for the same address.
                        new PemKeyCertOptions()
                            .setCertPath(key(cluster, "apiserver.crt").toString())
                            .setKeyPath(key(cluster, "apiserver.key").toString())))
            .requestHandler(this::answer)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
    node =
        client
            .resource(
                new NodeBuilder()
                    .withNewMetadata()
                    .withName(client.getNamespace())
                    .endMetadata()
                    .withNewStatus()
                    .addNewAddress("127.0.0.1", "InternalIP")
                    .withNewDaemonEndpoints()
                    .withNewKubeletEndpoint(server.actualPort())
                    .endDaemonEndpoints()
                    .endStatus()
                    .build())
            .create();
  }

  /** Has a pod be this node's. */
  void take(Pod pod) {
    String name = pod.getMetadata().getName();
    client.raw(
        "/api/v1/namespaces/" + client.getNamespace() + "/pods/" + name + "/binding",
        "POST",
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Binding",
            "metadata",
            Map.of("name", name),
            "target",
            Map.of("kind", "Node", "name", node.getMetadata().getName())));
  }

  /** A pod's container says something, with its time before each line. */
  void says(Pod pod, String text) {
    String name = pod.getMetadata().getName();
    logs.merge(name, text, String::concat);
    followers.getOrDefault(name, List.of()).forEach(response -> response.write(text));
  }

  /**
   * The connections of those who follow a pod's log end, as when a proxy has had enough of them.
   */
  void cut(Pod pod) {
    List<HttpServerResponse> all = followers.remove(pod.getMetadata().getName());
    if (all != null) {
      all.forEach(HttpServerResponse::end);
    }
  }

  /** How many follow a pod's log. */
  int followers(Pod pod) {
    return followers.getOrDefault(pod.getMetadata().getName(), List.of()).size();
  }

  /** {@code /containerLogs/<namespace>/<pod>/<container>}. */
  private void answer(HttpServerRequest request) {
    String[] path = request.path().split("/", -1);
    if (path.length != 5 || !path[1].equals("containerLogs")) {
      request.response().setStatusCode(404).end();
      return;
    }
    HttpServerResponse response = request.response().setChunked(true);
    response.write(logs.getOrDefault(path[3], ""));
    if ("true".equals(request.getParam("follow"))) {
      followers.computeIfAbsent(path[3], pod -> new CopyOnWriteArrayList<>()).add(response);
    } else {
      response.end();
    }
  }

  private static Path key(Cluster cluster, String file) {
    return cluster.kubeconfig().resolveSibling("pki").resolve(file);
  }

  /** Takes its pods along, since no kubelet says that they have ended. */
  @Override
  public void close() {
    client.pods().withGracePeriod(0).delete();
    client.resource(node).delete();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
