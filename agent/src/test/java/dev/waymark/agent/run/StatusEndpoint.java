package dev.waymark.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.waymark.reporter.testing.LoopbackTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.net.ssl.HttpsURLConnection;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A status endpoint with TLS that takes every report of every process, and remembers them by the
 * name of the TrainJob that they came for. As a test class's extension it is there for as long as
 * its tests run.
 */
final class StatusEndpoint implements BeforeAllCallback, AfterAllCallback {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, List<Report>> reports = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Path folder;
  private HttpsServer server;
  private Path caFile;
  private Path tokenFile;

  /** Starts it on a free port; certificate and token lie in a folder of its own. */
  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "status-endpoint");
    LoopbackTls tls = LoopbackTls.ofThisModule();
    caFile = tls.writeCertificate(folder.resolve("ca.crt"));
    tokenFile = Files.writeString(folder.resolve("token"), "secret");
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls.server()));
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
    warmUp(tls);
  }

  /**
   * A JVM's first handshake takes long on a busy machine, and a program's last word waits for 3 s
   * only.
   */
  private void warmUp(LoopbackTls tls) throws Exception {
    URI here = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    HttpsURLConnection connection = (HttpsURLConnection) here.toURL().openConnection();
    connection.setSSLSocketFactory(tls.client().getSocketFactory());
    if (connection.getResponseCode() != 401) {
      throw new IOException("a stranger is answered " + connection.getResponseCode());
    }
    connection.disconnect();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    server.stop(0);
    threads.shutdownNow();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      boolean known =
          exchange.getRequestMethod().equals("POST")
              && "Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"));
      if (known) {
        Report report = new Report(JSON.readTree(body).get("trainerStatus"));
        of(exchange.getRequestURI().getPath().substring(1)).add(report);
      }
      exchange.sendResponseHeaders(known ? 200 : 401, -1);
    }
  }

  /** The reports that came for a TrainJob so far, in order. */
  List<Report> of(String trainJob) {
    return reports.computeIfAbsent(trainJob, name -> new CopyOnWriteArrayList<>());
  }

  /** The newest report that came for a TrainJob, which must have one. */
  Report last(String trainJob) {
    List<Report> all = of(trainJob);
    if (all.isEmpty()) {
      throw new AssertionError("no report came for " + trainJob);
    }
    return all.get(all.size() - 1);
  }

  /** The newest report that came of each run for a TrainJob, by the number of the run, in order. */
  Map<String, Report> lastOfRuns(String trainJob) {
    Map<String, Report> last = new LinkedHashMap<>();
    of(trainJob).forEach(report -> last.put(report.metric("run"), report));
    return last;
  }

  /** The environment that makes a process report here, as a pod of a TrainJob has it. */
  Map<String, String> environment(String trainJob) {
    return Map.of(
        "KUBEFLOW_TRAINER_SERVER_URL",
        "https://127.0.0.1:" + server.getAddress().getPort() + "/" + trainJob,
        "KUBEFLOW_TRAINER_SERVER_CA_CERT",
        caFile.toString(),
        "KUBEFLOW_TRAINER_SERVER_TOKEN",
        tokenFile.toString(),
        "WAYMARK_INTERVAL",
        "1");
  }

  /** One accepted document. */
  static final class Report {
    private final JsonNode status;

    Report(JsonNode status) {
      this.status = status;
    }

    /** The value of a metric; null if the report has none of this name. */
    String metric(String name) {
      for (JsonNode metric : status.path("metrics")) {
        if (metric.get("name").asText().equals(name)) {
          return metric.get("value").asText();
        }
      }
      return null;
    }

    /** The percentage; null if the report has none. */
    Integer progress() {
      JsonNode progress = status.get("progressPercentage");
      return progress == null ? null : progress.asInt();
    }

    /** The seconds left; null if the report has none. */
    Integer secondsLeft() {
      JsonNode seconds = status.get("estimatedRemainingSeconds");
      return seconds == null ? null : seconds.asInt();
    }

    @Override
    public String toString() {
      return status.toString();
    }
  }
}
