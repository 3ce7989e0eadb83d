package dev.waymark.agent.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
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
  private static final char[] PASSWORD = "password".toCharArray();

  private final Map<String, List<Report>> reports = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Path folder;
  private HttpsServer server;
  private Path caFile;
  private Path tokenFile;

  /** Starts it on a free port, with its own certificate and token in a folder. */
  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "status-endpoint");
    KeyStore keys = selfSigned(folder.resolve("server.p12"));
    caFile = Files.writeString(folder.resolve("ca.crt"), pem(keys));
    tokenFile = Files.writeString(folder.resolve("token"), "secret");
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(keys)));
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
    warmUp(keys);
  }

  /**
   * A JVM's first handshake takes long on a busy machine, and a program's last word waits for 3 s
   * only.
   */
  private void warmUp(KeyStore keys) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    URI here = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    HttpsURLConnection connection = (HttpsURLConnection) here.toURL().openConnection();
    connection.setSSLSocketFactory(context.getSocketFactory());
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

  /** The JDK's keytool makes the certificate; no class of the JDK's public API can. */
  private static KeyStore selfSigned(Path file) throws Exception {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=status endpoint",
                "-ext",
                "SAN=ip:127.0.0.1",
                "-validity",
                "1")
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException(output);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static String pem(KeyStore keys) throws Exception {
    byte[] encoded = keys.getCertificate("server").getEncoded();
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
        + "\n-----END CERTIFICATE-----\n";
  }

  private static SSLContext tls(KeyStore keys) throws Exception {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
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
