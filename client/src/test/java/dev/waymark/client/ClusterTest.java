package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterTest {

  @TempDir Path folder;

  private HttpServer server;
  private Path kubeconfig;
  private int status = 200;
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body =
              "{\"gitVersion\": \"v1.34.1\", \"message\": \"no\"}".getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            users: [{name: u, user: {token: t}}]
            current-context: x
            """
                .formatted(server.getAddress().getPort()));
    cluster = Cluster.connect(ClusterAccess.standard().withKubeconfig(kubeconfig));
  }

  @AfterEach
  void stop() {
    cluster.close();
    server.stop(0);
  }

  /** A webhook may think it over for longer than a server that is there is silent. */
  @Test
  void callsMayTakeTheirTimeOnceItHasAnswered() {
    assertThat(limitMillis()).isEqualTo(10_000);

    assertThat(version()).isEqualTo("v1.34.1");
    assertThat(limitMillis()).isEqualTo(120_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void aRefusalIsAnAnswer(int refusal) {
    status = refusal;

    assertThatThrownBy(this::version).isInstanceOf(TrainerException.class);
    assertThat(limitMillis()).isEqualTo(120_000);
  }

  @Test
  void whatNobodyAnswersHasTheSameLimitNextTime() {
    server.stop(0);

    assertThatThrownBy(this::version).isInstanceOf(TrainerException.Unreachable.class);
    assertThat(limitMillis()).isEqualTo(10_000);
  }

  /** It is read again for newer credentials then. */
  @Test
  void aKubeconfigThatIsGoneWhenItsCredentialsExpireIsTold() throws Exception {
    Files.delete(kubeconfig);
    assertThat(version()).as("as long as they hold").isEqualTo("v1.34.1");

    status = 401;
    assertThatThrownBy(this::version)
        .isInstanceOf(TrainerException.NotLoggedIn.class)
        .hasMessageEndingWith("are wrong or have expired, and " + kubeconfig + " is gone");
  }

  private String version() {
    return cluster.call(
        "ask for the version", () -> cluster.client().getKubernetesVersion().getGitVersion());
  }

  private int limitMillis() {
    return cluster.client().getConfiguration().getRequestTimeout();
  }
}
