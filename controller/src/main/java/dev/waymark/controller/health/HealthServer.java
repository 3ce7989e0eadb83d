package dev.waymark.controller.health;

import dev.waymark.controller.Component;
import dev.waymark.controller.ControllerConfiguration;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Answers the kubelet: {@code /readyz} with 200 when every component can do its work, {@code
 * /healthz} with 200 while no component needs a new process; else 503, and the reasons line by
 * line.
 */
public final class HealthServer implements Component {

  private static final int START_LIMIT_SECONDS = 10;
  private static final int IDLE_SECONDS = 30;

  private final Vertx vertx;
  private final ControllerConfiguration.Listen listen;
  private final ControllerConfiguration.Health settings;
  private final Supplier<List<Component>> components;
  private volatile HttpServer server;

  /**
   * Makes a server that doesn't listen yet.
   *
   * @param listen where
   * @param components all that are to be ready, those not started yet included
   */
  public HealthServer(
      Vertx vertx,
      ControllerConfiguration.Listen listen,
      ControllerConfiguration.Health settings,
      Supplier<List<Component>> components) {
    this.vertx = vertx;
    this.listen = listen;
    this.settings = settings;
    this.components = components;
  }

  @Override
  public String name() {
    return "health";
  }

  @Override
  public void start() throws IOException, InterruptedException {
    HttpServer started =
        vertx
            .createHttpServer(new HttpServerOptions().setIdleTimeout(IDLE_SECONDS))
            .requestHandler(this::answer);
    try {
      started
          .listen(listen.port(), listen.host())
          .toCompletionStage()
          .toCompletableFuture()
          .get(START_LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          "can't listen for probes on " + listen.host() + ":" + listen.port() + ": " + e, e);
    }
    server = started;
  }

  /** The port that it listens on. */
  public int port() {
    return server.actualPort();
  }

  private void answer(HttpServerRequest request) {
    String path = request.path();
    if (path.equals("/" + settings.readiness())) {
      answer(request, problems(components.get(), Component::notReady));
    } else if (path.equals("/" + settings.liveness())) {
      answer(request, problems(components.get(), Component::dead));
    } else {
      request
          .response()
          .setStatusCode(404)
          .end("404: this is /" + settings.readiness() + " and /" + settings.liveness() + "\n");
    }
  }

  /** What is wrong, by component. */
  static Map<String, String> problems(
      List<Component> components, Function<Component, Optional<String>> question) {
    Map<String, String> problems = new TreeMap<>();
    for (Component component : components) {
      question.apply(component).ifPresent(problem -> problems.put(component.name(), problem));
    }
    return problems;
  }

  private static void answer(HttpServerRequest request, Map<String, String> problems) {
    StringBuilder text = new StringBuilder();
    problems.forEach(
        (name, problem) -> text.append(name).append(": ").append(problem).append('\n'));
    request
        .response()
        .setStatusCode(problems.isEmpty() ? 200 : 503)
        .putHeader("Content-Type", "text/plain; charset=utf-8")
        .end(problems.isEmpty() ? "ok" : text.toString());
  }

  @Override
  public Optional<String> notReady() {
    return Optional.empty();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
