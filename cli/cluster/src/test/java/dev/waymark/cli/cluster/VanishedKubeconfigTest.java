package dev.waymark.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.waymark.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** fabric8 would tell it with a stack trace. */
class VanishedKubeconfigTest {

  @TempDir Path folder;

  @Test
  void itIsToldInALine() throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          Files.deleteIfExists(kubeconfig);
          exchange.sendResponseHeaders(401, -1);
          exchange.close();
        });
    server.start();
    String address = "http://127.0.0.1:" + server.getAddress().getPort();
    Files.writeString(
        kubeconfig,
        """
        clusters: [{name: c, cluster: {server: "%s"}}]
        users: [{name: u, user: {token: t}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(address));

    PrintStream before = System.err;
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try {
      System.setErr(new PrintStream(err, true, UTF_8));
      String[] words = {"list", "--kubeconfig=" + kubeconfig};
      assertThat(Main.commandLine(words).execute(words)).isEqualTo(ExitCodes.REFUSED);
    } finally {
      System.setErr(before);
      server.stop(0);
    }
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            ("waymark: The cluster at %s doesn't take these credentials: they are wrong or have"
                    + " expired, and %s is gone%n")
                .formatted(address, kubeconfig));
  }
}
