package dev.waymark.controller;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An API server in memory, for what a unit test can ask of one: lists in pages, watches, create,
 * apply, merge patch, status subresource, versions, deletion, dry runs. It validates nothing and
 * owns no fields; what depends on that is tested against a real one.
 */
public final class FakeApiServer implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private static final Pattern PATH =
      Pattern.compile(
          "(/api/v1|/apis/[^/]+/[^/]+)(?:/namespaces/([^/]+))?/([a-z]+)(?:/([^/]+))?(?:/(status))?");

  /** A request that changed something, or tried to. */
  public record Write(String method, String path, String query, JsonNode body) {}

  /** An answer that the next fitting write gets instead of its own. */
  private record Refusal(Predicate<Write> of, int code, String message) {}

  private record Watcher(String api, String plural, Consumer<String> tell, Runnable end) {}

  private final Vertx vertx = Vertx.vertx();
  private final String scheme;
  private final HttpServer server;
  private final NavigableMap<String, ObjectNode> objects = new TreeMap<>();
  private final Map<String, String> texts = new TreeMap<>();
  private final Set<String> unreadable = new HashSet<>();
  private final Set<String> unknown = new HashSet<>();
  private final List<String> dropped = new ArrayList<>();
  private final Map<String, List<Runnable>> held = new HashMap<>();
  private final List<String> reads = new ArrayList<>();
  private final List<Write> writes = new ArrayList<>();
  private final List<Watcher> watchers = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();
  private final List<Predicate<Write>> ignored = new ArrayList<>();
  private volatile boolean hasWebSockets;
  private boolean isAway;
  private int version = 100;

  /** Starts on a free port of the loopback address, in the clear. */
  public FakeApiServer() {
    this(new HttpServerOptions());
  }

  /** Starts with TLS on a free port of the loopback address. */
  public FakeApiServer(Path certificate, Path key) {
    this(
        new HttpServerOptions()
            .setSsl(true)
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .setCertPath(certificate.toString())
                    .setKeyPath(key.toString())));
  }

  private FakeApiServer(HttpServerOptions options) {
    scheme = options.isSsl() ? "https" : "http";
    server =
        vertx
            .createHttpServer(options)
            .requestHandler(this::take)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  /** From now on watches are web sockets, as with a real one. */
  public void offerWebSockets() {
    hasWebSockets = true;
  }

  /** Its address without a path. */
  public String url() {
    return scheme + "://127.0.0.1:" + server.actualPort();
  }

  /** A client of this server, which knows no other configuration; to be closed. */
  public KubernetesClient newClient() {
    return new KubernetesClientBuilder().withConfig(clientConfiguration()).build();
  }

  /** What a client needs to find this server. */
  public Config clientConfiguration() {
    return new ConfigBuilder(Config.empty()).withMasterUrl(url()).build();
  }

  /** Writes down for a controller where this server is; returns the file. */
  public Path writeKubeconfig(Path folder) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: it, cluster: {server: "%s"}}]
        users: [{name: it, user: {}}]
        contexts: [{name: it, context: {cluster: it, user: it}}]
        current-context: it
        """
            .formatted(url()));
  }

  /** Puts an object there, as somebody else would; returns it as it is then. */
  public synchronized ObjectNode put(String path, String json) {
    ObjectNode object = (ObjectNode) read(json);
    return store(path, object);
  }

  /** Changes an object by a merge patch, as somebody else would. */
  public synchronized ObjectNode change(String path, String json) {
    ObjectNode object = objects.get(path).deepCopy();
    merge(object, read(json));
    return store(path, object);
  }

  /** Puts an object there of which the watches hear nothing until it changes again. */
  public synchronized ObjectNode putUnseen(String path, String json) {
    return store(path, (ObjectNode) read(json), /* told= */ false);
  }

  /** Changes an object, and the watches hear nothing of it until it changes again. */
  public synchronized ObjectNode changeUnseen(String path, String json) {
    ObjectNode object = objects.get(path).deepCopy();
    merge(object, read(json));
    return store(path, object, /* told= */ false);
  }

  /** Deletes an object. */
  public synchronized void delete(String path) {
    ObjectNode gone = objects.remove(path);
    if (gone != null) {
      gone.withObject("/metadata").put("resourceVersion", Integer.toString(++version));
      tell("DELETED", path, gone);
    }
  }

  /** Answers a path with a text. */
  public synchronized void serve(String path, String text) {
    texts.put(path, text);
  }

  /** Refuses to show an object, or a list, to those who have no right to it: everybody. */
  public synchronized void deny(String path) {
    unreadable.add(path);
  }

  /** Knows no type of this path until the result has been run. */
  public synchronized Runnable lack(String path) {
    unknown.add(path);
    return () -> {
      synchronized (this) {
        unknown.remove(path);
      }
    };
  }

  /** Closes the connection of the next one who reads a path; said twice, of the next two. */
  public synchronized void drop(String path) {
    dropped.add(path);
  }

  /** Ends all watches, as when a proxy has had enough of them. */
  public synchronized void cutWatches() {
    List<Watcher> cut = List.copyOf(watchers);
    watchers.clear();
    cut.forEach(watcher -> watcher.end().run());
  }

  /** Answers nobody, and closes all connections, until the result has been run. */
  public synchronized Runnable away() {
    isAway = true;
    cutWatches();
    return () -> {
      synchronized (this) {
        isAway = false;
      }
    };
  }

  /** Answers those who read a path only once the result has been run. */
  public synchronized Runnable hold(String path) {
    List<Runnable> answers = new ArrayList<>();
    held.put(path, answers);
    return () -> {
      synchronized (this) {
        held.remove(path);
        answers.forEach(Runnable::run);
      }
    };
  }

  /** Refuses the next write that fits. */
  public synchronized void refuse(Predicate<Write> write, int code, String message) {
    refusals.add(new Refusal(write, code, message));
  }

  /** Never answers the next write that fits, and does nothing of it. */
  public synchronized void ignore(Predicate<Write> write) {
    ignored.add(write);
  }

  /** An object as it is. */
  public synchronized Optional<ObjectNode> get(String path) {
    return Optional.ofNullable(objects.get(path)).map(ObjectNode::deepCopy);
  }

  /** How often a path was read so far, watches included. */
  public synchronized long reads(String path) {
    return reads.stream().filter(path::equals).count();
  }

  /** All writes so far. */
  public synchronized List<Write> writes() {
    return List.copyOf(writes);
  }

  private void take(HttpServerRequest request) {
    if (hasWebSockets && request.headers().contains("Upgrade")) {
      request.toWebSocket().onSuccess(socket -> watch(request.path(), socket));
    } else {
      request.bodyHandler(body -> handle(request, body.toString()));
    }
  }

  private synchronized void watch(String path, ServerWebSocket socket) {
    Matcher of = PATH.matcher(path);
    if (of.matches()) {
      watchers.add(
          new Watcher(of.group(1), of.group(3), socket::writeTextMessage, () -> socket.close()));
    }
  }

  private synchronized void handle(HttpServerRequest request, String body) {
    String path = request.path();
    if (isAway) {
      request.connection().close();
      return;
    }
    if (texts.containsKey(path)) {
      request.response().end(texts.get(path));
      return;
    }
    if (request.headers().contains("Upgrade")) {
      // No web socket: the client then watches by plain HTTP.
      request.response().setStatusCode(200).end();
      return;
    }
    Matcher parts = PATH.matcher(path);
    if (!parts.matches()) {
      answer(request, 404, status(404, path + " is not there"));
      return;
    }
    if (request.method().name().equals("GET")) {
      read(request, parts);
      return;
    }
    Write write =
        new Write(
            request.method().name(),
            path,
            request.query() == null ? "" : request.query(),
            body.isEmpty() ? JSON.nullNode() : read(body));
    writes.add(write);
    for (Predicate<Write> fits : ignored) {
      if (fits.test(write)) {
        ignored.remove(fits);
        return;
      }
    }
    for (Iterator<Refusal> it = refusals.iterator(); it.hasNext(); ) {
      Refusal refusal = it.next();
      if (refusal.of().test(write)) {
        it.remove();
        answer(request, refusal.code(), status(refusal.code(), refusal.message()));
        return;
      }
    }
    if (write.query().contains("dryRun=All")) {
      answer(request, 201, write.body());
      return;
    }
    write(request, parts, write);
  }

  private void read(HttpServerRequest request, Matcher parts) {
    reads.add(request.path());
    if (held.containsKey(request.path())) {
      held.get(request.path()).add(() -> read(request, parts));
      return;
    }
    if (dropped.remove(request.path())) {
      request.connection().close();
      return;
    }
    if (unknown.contains(request.path())) {
      answer(request, 404, status(404, "the server could not find the requested resource"));
      return;
    }
    if (unreadable.contains(request.path())) {
      answer(request, 403, status(403, request.path() + " is forbidden"));
      return;
    }
    if (parts.group(4) != null) {
      ObjectNode object = objects.get(request.path().replaceFirst("/status$", ""));
      answer(
          request,
          object == null ? 404 : 200,
          object == null ? status(404, parts.group(4) + " not found") : object);
    } else if ("true".equals(request.getParam("watch")) || "1".equals(request.getParam("watch"))) {
      request.response().setChunked(true).putHeader("Content-Type", "application/json");
      // fabric8 counts a watch as one only once something has come.
      request.response().write(" ");
      HttpServerResponse response = request.response();
      watchers.add(
          new Watcher(
              parts.group(1),
              parts.group(3),
              event -> response.write(event + "\n"),
              () -> response.end()));
    } else {
      answer(request, 200, list(request, parts));
    }
  }

  /** A page of a list; the path of its last object is what the next one goes on from. */
  private ObjectNode list(HttpServerRequest request, Matcher parts) {
    String limit = request.getParam("limit");
    int most = limit == null || limit.equals("0") ? Integer.MAX_VALUE : Integer.parseInt(limit);
    String last = Objects.requireNonNullElse(request.getParam("continue"), "");
    ObjectNode list = JSON.createObjectNode().put("kind", "List").put("apiVersion", "v1");
    ObjectNode metadata = list.putObject("metadata");
    metadata.put("resourceVersion", Integer.toString(version));
    ArrayNode items = list.putArray("items");
    for (Map.Entry<String, ObjectNode> each : objects.tailMap(last, false).entrySet()) {
      if (isIn(parts, each.getKey())
          && isSelected(request.getParam("fieldSelector"), each.getValue())) {
        if (items.size() == most) {
          metadata.put("continue", last);
          break;
        }
        items.add(each.getValue());
        last = each.getKey();
      }
    }
    return list;
  }

  private static boolean isIn(Matcher list, String path) {
    Matcher of = PATH.matcher(path);
    return of.matches()
        && of.group(1).equals(list.group(1))
        && of.group(3).equals(list.group(3))
        && (list.group(2) == null || list.group(2).equals(of.group(2)));
  }

  private static boolean isSelected(String selector, ObjectNode object) {
    if (selector == null) {
      return true;
    }
    String[] parts = selector.split("=", 2);
    JsonNode value = object;
    for (String field : parts[0].split("\\.", -1)) {
      value = value.path(field);
    }
    return value.asText().equals(parts[1]);
  }

  private void write(HttpServerRequest request, Matcher parts, Write write) {
    boolean ofStatus = parts.group(5) != null;
    String path =
        write.method().equals("POST")
            ? request.path() + "/" + write.body().path("metadata").path("name").asText("none")
            : request.path().replaceFirst("/status$", "");
    ObjectNode before = objects.get(path);
    if (write.method().equals("DELETE")) {
      delete(path);
      answer(request, before == null ? 404 : 200, status(before == null ? 404 : 200, "deleted"));
      return;
    }
    String wanted = write.body().path("metadata").path("resourceVersion").asText("");
    if (before == null && ofStatus) {
      answer(request, 404, status(404, parts.group(4) + " not found"));
    } else if (before != null
        && !wanted.isEmpty()
        && !wanted.equals(before.path("metadata").path("resourceVersion").asText())) {
      answer(request, 409, status(409, "the object has been modified"));
    } else {
      ObjectNode after = before == null ? JSON.createObjectNode() : before.deepCopy();
      JsonNode change = write.body();
      if (ofStatus) {
        change = JSON.createObjectNode().set("status", change.path("status"));
        if (change.path("status").has("trainerStatus")) {
          // Server-side apply replaces what its manager owns.
          after.withObject("/status").remove("trainerStatus");
        }
      }
      merge(after, change);
      answer(request, before == null ? 201 : 200, store(path, after));
    }
  }

  private ObjectNode store(String path, ObjectNode object) {
    return store(path, object, /* told= */ true);
  }

  private ObjectNode store(String path, ObjectNode object, boolean told) {
    ObjectNode before = objects.get(path);
    ObjectNode metadata = object.withObject("/metadata");
    if (before == null) {
      metadata.put("uid", metadata.path("uid").asText(UUID.randomUUID().toString()));
      metadata.put(
          "creationTimestamp",
          metadata
              .path("creationTimestamp")
              .asText(Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()));
      metadata.put("generation", 1);
    } else {
      metadata.remove("resourceVersion");
      ObjectNode same = before.deepCopy();
      same.withObject("/metadata").remove("resourceVersion");
      if (same.equals(object)) {
        return before;
      }
      if (!object.path("spec").equals(before.path("spec"))) {
        metadata.put("generation", metadata.path("generation").asInt() + 1);
      }
    }
    metadata.put("resourceVersion", Integer.toString(++version));
    objects.put(path, object);
    if (told) {
      tell(before == null ? "ADDED" : "MODIFIED", path, object);
    }
    return object;
  }

  private void tell(String type, String path, ObjectNode object) {
    Matcher of = PATH.matcher(path);
    if (!of.matches()) {
      return;
    }
    ObjectNode event = JSON.createObjectNode().put("type", type);
    event.set("object", object.deepCopy());
    for (Watcher watcher : watchers) {
      if (watcher.api().equals(of.group(1)) && watcher.plural().equals(of.group(3))) {
        watcher.tell().accept(event.toString());
      }
    }
  }

  private static void merge(ObjectNode into, JsonNode change) {
    change
        .properties()
        .forEach(
            field -> {
              if (field.getValue().isNull()) {
                into.remove(field.getKey());
              } else if (field.getValue().isObject() && into.path(field.getKey()).isObject()) {
                merge((ObjectNode) into.get(field.getKey()), field.getValue());
              } else {
                into.set(field.getKey(), field.getValue().deepCopy());
              }
            });
  }

  private static void answer(HttpServerRequest request, int code, JsonNode body) {
    request
        .response()
        .setStatusCode(code)
        .putHeader("Content-Type", "application/json")
        .end(body.toString());
  }

  private static JsonNode status(int code, String message) {
    return JSON.createObjectNode()
        .put("kind", "Status")
        .put("apiVersion", "v1")
        .put("message", message)
        .put("code", code);
  }

  /** What is applied may be YAML. */
  private static JsonNode read(String text) {
    try {
      return text.stripLeading().startsWith("{") ? JSON.readTree(text) : YAML.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
