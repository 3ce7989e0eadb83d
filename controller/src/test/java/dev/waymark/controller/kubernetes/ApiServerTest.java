package dev.waymark.controller.kubernetes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that takes connections, and answers as far as a test says. */
class ApiServerTest {

  private static final Duration LIMIT = Duration.ofMillis(300);
  private static final ResourcePath DEMO = ResourcePath.of("v1", "configmaps", "team-a", "demo");
  private static final int PATIENCE = (int) Duration.ofSeconds(30).toMillis();

  private ServerSocket server;
  private KubernetesClient client;
  private ApiServer apiServer;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server.setSoTimeout(PATIENCE);
    String url = "http://127.0.0.1:" + server.getLocalPort();
    client =
        new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(Config.empty()).withMasterUrl(url).build())
            .build();
    apiServer = new ApiServer(client, LIMIT);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void givesUpARequestThatIsNotAnswered(
      String what, Function<ApiServer, CompletableFuture<?>> request) {
    CompletableFuture<?> answer = request.apply(apiServer);

    assertThatThrownBy(() -> answer.get(PATIENCE, TimeUnit.MILLISECONDS))
        .hasCauseInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("no answer from the API server within 300 ms");
  }

  static Stream<Arguments> givesUpARequestThatIsNotAnswered() {
    return Stream.of(
        request("read", it -> it.read("/openid/v1/jwks")),
        request("get", it -> it.get(DEMO)),
        request("apply", it -> it.apply(DEMO, "tests", Map.of())),
        request("merge", it -> it.merge(DEMO, "tests", Map.of())),
        request("replace", it -> it.replace(DEMO, "tests", Map.of())),
        request("create", it -> it.create(DEMO.collection(), Map.of())),
        request("delete", it -> it.delete(DEMO, "uid")));
  }

  private static Arguments request(String what, Function<ApiServer, CompletableFuture<?>> request) {
    return arguments(what, request);
  }

  /** Such as a watch's, which never ends. */
  @Test
  void givesUpAnAnswerThatDoesNotEnd() throws Exception {
    CompletableFuture<byte[]> answer = apiServer.read("/");

    try (Socket connection = server.accept()) {
      connection.setSoTimeout(PATIENCE);
      readHead(connection);
      connection
          .getOutputStream()
          .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(US_ASCII));

      assertThatThrownBy(() -> answer.get(PATIENCE, TimeUnit.MILLISECONDS))
          .hasCauseInstanceOf(SocketTimeoutException.class);
      assertThat(connection.getInputStream().read()).as("the client closes it").isEqualTo(-1);
    }
  }

  /** So that the limit of requests is one, most of all while the API server has too many. */
  @ParameterizedTest
  @ValueSource(ints = {429, 500, 503, 504})
  void doesNotRepeatWhatIsRefused(int code) throws Exception {
    CompletableFuture<byte[]> answer = new ApiServer(client).read("/");

    try (Socket connection = server.accept()) {
      connection.setSoTimeout(PATIENCE);
      readHead(connection);
      connection
          .getOutputStream()
          .write(("HTTP/1.1 " + code + " No\r\nContent-Length: 0\r\n\r\n").getBytes(US_ASCII));

      assertThatThrownBy(() -> answer.get(PATIENCE, TimeUnit.MILLISECONDS))
          .hasCauseInstanceOf(ApiServerException.class)
          .hasMessageContaining("HTTP " + code);
    }
  }

  @Test
  void tellsThatAConnectionWasLost() throws Exception {
    CompletableFuture<byte[]> answer = new ApiServer(client).read("/");

    try (Socket connection = server.accept()) {
      connection.setSoTimeout(PATIENCE);
      readHead(connection);
    }

    assertThatThrownBy(() -> answer.get(PATIENCE, TimeUnit.MILLISECONDS))
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void readsAnAnswerThatComesInPieces() throws Exception {
    CompletableFuture<byte[]> answer = new ApiServer(client).read("/");

    try (Socket connection = server.accept()) {
      connection.setSoTimeout(PATIENCE);
      readHead(connection);
      for (String piece : "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n|a|b|c".split("\\|", -1)) {
        connection.getOutputStream().write(piece.getBytes(US_ASCII));
        connection.getOutputStream().flush();
      }

      assertThat(answer.get(PATIENCE, TimeUnit.MILLISECONDS)).isEqualTo("abc".getBytes(US_ASCII));
    }
  }

  /** Reads up to the empty line behind the headers. */
  private static void readHead(Socket connection) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) connection.getInputStream().read());
    }
  }
}
