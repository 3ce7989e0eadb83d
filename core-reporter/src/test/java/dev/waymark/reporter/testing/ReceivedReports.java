package dev.waymark.reporter.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.waymark.reporter.PromptSender;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A status endpoint in this JVM that takes whatever comes, with the settings that make the reporter
 * find it. The reporter keeps its settings for as long as its JVM lives, so there is one endpoint,
 * and each test class has a JVM of its own.
 */
public final class ReceivedReports {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration OFTEN = Duration.ofMillis(10);

  private static ReceivedReports inThisJvm;

  private final List<Status> all = new CopyOnWriteArrayList<>();
  private int taken;

  private ReceivedReports() {}

  public static synchronized ReceivedReports inThisJvm() throws Exception {
    if (inThisJvm == null) {
      inThisJvm = new ReceivedReports();
      inThisJvm.listen();
    }
    return inThisJvm;
  }

  /** The last words of the next so many runs that nobody has asked for yet, oldest first. */
  public List<Status> lastWords(int count) {
    await().atMost(PATIENCE).pollInterval(OFTEN).until(() -> endedByNow().size() >= taken + count);
    List<Status> words = ended().subList(taken, taken + count);
    taken += count;
    return words;
  }

  public Status lastWord() {
    return lastWords(1).get(0);
  }

  /** {@link #lastWord()} of a run during which something happens time and again. */
  public Status lastWordDuring(Runnable happens) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              happens.run();
              return endedByNow().size() > taken;
            });
    return lastWord();
  }

  /** Waits until the newest report is in this state; an earlier one may still be on its way. */
  public void awaitState(String state) {
    await().atMost(PATIENCE).until(() -> !all.isEmpty() && newest().state().equals(state));
  }

  public List<Status> all() {
    return List.copyOf(all);
  }

  private Status newest() {
    return all.get(all.size() - 1);
  }

  private List<Status> endedByNow() {
    PromptSender.flush();
    return ended();
  }

  /** One of each run: what is sent again for want of an answer may arrive twice. */
  private List<Status> ended() {
    Map<String, Status> byRun = new LinkedHashMap<>();
    all.stream().filter(Status::isEnd).forEach(end -> byRun.putIfAbsent(end.metric("run"), end));
    return List.copyOf(byRun.values());
  }

  private void listen() throws IOException, GeneralSecurityException, InterruptedException {
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "status-endpoint");
    LoopbackTls tls = LoopbackTls.ofThisModule();
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls.server()));
    server.createContext(
        "/status",
        exchange -> {
          try (InputStream body = exchange.getRequestBody()) {
            all.add(new Status(new String(body.readAllBytes(), UTF_8)));
          }
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();

    Path ca = tls.writeCertificate(folder.resolve("ca.pem"));
    Path token = Files.writeString(folder.resolve("token"), "a-token");
    System.setProperty(
        "kubeflow.trainer.server.url",
        "https://127.0.0.1:" + server.getAddress().getPort() + "/status");
    System.setProperty("kubeflow.trainer.server.ca.cert", ca.toString());
    System.setProperty("kubeflow.trainer.server.token", token.toString());
    System.setProperty("waymark.interval", "1");
  }
}
