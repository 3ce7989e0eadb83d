package dev.waymark.controller.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.controller.Component;
import dev.waymark.controller.ControllerConfiguration.Health;
import dev.waymark.controller.ControllerConfiguration.Listen;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthServerTest {

  private static final Listen ANYWHERE = new Listen("127.0.0.1", 0);

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();
  private String notReady;
  private String dead;
  private HealthServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        new HealthServer(
            vertx,
            ANYWHERE,
            new Health(Optional.of(ANYWHERE), "readyz", "healthz"),
            () -> List.of(component("a"), component("b")));
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
    vertx.close();
  }

  @Test
  void isReadyWhileAllComponentsAre() throws Exception {
    assertThat(get("readyz").statusCode()).isEqualTo(200);
    notReady = "nobody watches";

    HttpResponse<String> answer = get("readyz");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).isEqualTo("a: nobody watches\nb: nobody watches\n");
    assertThat(get("healthz").statusCode()).isEqualTo(200);
  }

  @Test
  void isAliveWhileNoComponentNeedsANewProcess() throws Exception {
    assertThat(get("healthz").statusCode()).isEqualTo(200);
    dead = "stopped for good";

    HttpResponse<String> answer = get("healthz");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("a: stopped for good");
  }

  @Test
  void knowsNothingElse() throws Exception {
    assertThat(get("metrics").statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + "/" + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private Component component(String name) {
    return new Component() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void start() {}

      @Override
      public Optional<String> notReady() {
        return Optional.ofNullable(notReady);
      }

      @Override
      public Optional<String> dead() {
        return Optional.ofNullable(dead);
      }

      @Override
      public void close() {}
    };
  }
}
