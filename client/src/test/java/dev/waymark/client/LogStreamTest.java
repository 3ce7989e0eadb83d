package dev.waymark.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogStreamTest {

  private final List<String> queries = new CopyOnWriteArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private volatile String log = "";
  private volatile int code = 200;

  private HttpServer server;
  private KubernetesClient client;
  private LogStream stream;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/api/v1/namespaces/team-a/pods/p/log", this::answer);
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffInterval(1)
                    .withRequestRetryBackoffLimit(2)
                    .build())
            .build();
    stream = new LogStream(client, "team-a", "p", "node", Duration.ofMinutes(1));
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @Test
  void asksForTheContainersLogWithTimes() throws Exception {
    log = "2026-11-30T10:00:00Z one\n2026-11-30T10:00:01Z \n2026-11-30T10:00:02Z two three\n";
    stream.read(LogOptions.standard(), lines::add);

    assertThat(lines).containsExactly("one", "", "two three");
    assertThat(queries).containsExactly("container=node&timestamps=true");
  }

  /**
   * What a container that crashes again and again has said is in the log before (mcp-server#42).
   */
  @Test
  void asksForTheContainerBefore() throws Exception {
    stream.read(LogOptions.standard().ofPrevious().tail(5).following(), lines::add);

    assertThat(queries)
        .containsExactly("container=node&timestamps=true&follow=true&previous=true&tailLines=5");
  }

  /** kubeflow/sdk#435: lines that came twice. */
  @Test
  void goesOnWhereItWasCutAndTellsNoLineTwice() throws Exception {
    LogOptions options = LogOptions.standard().tail(2).following();
    log = "2026-11-30T10:00:00.1Z one\n2026-11-30T10:00:00.2Z two\n";
    stream.read(options, lines::add);
    // The API server begins with the whole second.
    log = log + "2026-11-30T10:00:00.3Z three\n2026-11-30T10:00:01.0Z four\n";
    stream.read(options, lines::add);

    assertThat(lines).containsExactly("one", "two", "three", "four");
    assertThat(queries)
        .containsExactly(
            "container=node&timestamps=true&follow=true&tailLines=2",
            "container=node&timestamps=true&follow=true&sinceTime=2026-11-30T10:00:00.2Z");
  }

  @ParameterizedTest(name = "{0} {1}: {2}, {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400 | {"message": "container \\"node\\" is waiting to start"} | true  | container "node" is waiting to start
          404 | {"message": "pods \\"p\\" not found"}                   | false | pods "p" not found
          403 | {"message": "forbidden"}                                | false | forbidden
          502 | <html>bad gateway</html>                                | true  | <html>bad gateway</html>
          """)
  void handsOnTheServersWords(int answer, String body, boolean isTooEarly, String message) {
    code = answer;
    log = body;

    assertThatThrownBy(() -> stream.read(LogOptions.standard(), lines::add))
        .isInstanceOfSatisfying(
            LogStream.Refused.class, it -> assertThat(it.isTooEarly()).isEqualTo(isTooEarly))
        .hasMessage(message);
    assertThat(lines).isEmpty();
  }

  private void answer(HttpExchange exchange) throws IOException {
    queries.add(exchange.getRequestURI().getQuery());
    byte[] body = log.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Connection", "close");
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }
}
