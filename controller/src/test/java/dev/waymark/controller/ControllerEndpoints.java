package dev.waymark.controller;

import static org.awaitility.Awaitility.await;

import dev.waymark.status.TrainJobKey;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Where a controller under test listens, on free ports of this machine, and what is asked there.
 */
public final class ControllerEndpoints {

  private static final Duration READY_LIMIT = Duration.ofSeconds(60);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  /** Systems give those above 32767 to connections, and Kubernetes those from 30000 to services. */
  private static final int FIRST_PORT = 20_000;

  private static final int PORTS = 10_000;

  /** Other JVMs that test begin elsewhere. */
  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

  private final int healthPort = freePort();
  private final int statusPort = freePort();
  private final int metricsPort = freePort();
  private final int webhookPort = freePort();
  private final HttpClient http;

  ControllerEndpoints(X509Certificate trusted) throws GeneralSecurityException, IOException {
    http = HttpClient.newBuilder().sslContext(trusting(trusted)).build();
  }

  /**
   * The configuration file of a controller that listens there.
   *
   * @param more of it, YAML; what is indented at its beginning belongs to statusServer
   */
  String configuration(String more) {
    return """
    apiVersion: config.trainer.kubeflow.org/v1alpha1
    kind: Configuration
    webhook: {port: %d}
    certManagement: {enable: false}
    health: {healthProbeBindAddress: "127.0.0.1:%d"}
    metrics: {bindAddress: "127.0.0.1:%d"}
    statusServer:
      port: %d
    """
            .formatted(webhookPort, healthPort, metricsPort, statusPort)
        + more;
  }

  /** Where the API server asks about objects. */
  public int webhookPort() {
    return webhookPort;
  }

  /** Of all servers that speak TLS. */
  List<Integer> tlsPorts() {
    return List.of(webhookPort, statusPort, metricsPort);
  }

  /** Waits until the controller says that it is ready. */
  void awaitReady() {
    await().atMost(READY_LIMIT).ignoreExceptions().until(() -> probe("readyz").statusCode() == 200);
  }

  /** Asks a probe. */
  public HttpResponse<String> probe(String name) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + healthPort + "/" + name);
    return http.send(request(uri).build(), BodyHandlers.ofString());
  }

  /** Reads the metrics. */
  public String metrics() throws IOException, InterruptedException {
    return read("/metrics", null).body();
  }

  /**
   * Reads what the metrics' server has.
   *
   * @param authorization the header, or null
   */
  HttpResponse<String> read(String path, String authorization)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(URI.create("https://127.0.0.1:" + metricsPort + path));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  /** Reports as a pod does. */
  public HttpResponse<String> post(TrainJobKey trainJob, String token, String body)
      throws IOException, InterruptedException {
    URI uri = URI.create("https://127.0.0.1:" + statusPort + trainJob.statusPath());
    return http.send(
        request(uri)
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(URI uri) {
    return HttpRequest.newBuilder(uri).timeout(ANSWER_LIMIT);
  }

  /** A client's, which trusts whom that one has signed. */
  static SSLContext trusting(X509Certificate certificate)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("test", certificate);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /**
   * A port that is free and that no connection is given as its own end; the controller has no way
   * to tell one that it chose. No two calls in a JVM return the same one.
   */
  public static int freePort() {
    while (true) {
      int port = FIRST_PORT + Math.floorMod(NEXT_PORT.getAndIncrement(), PORTS);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Somebody has it.
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
