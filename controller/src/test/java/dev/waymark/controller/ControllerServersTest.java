package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom the servers of a whole controller let in: by TLS, and by who reads the metrics. */
class ControllerServersTest {

  private static final String AES_128 = "TLS_AES_128_GCM_SHA256";
  private static final String AES_256 = "TLS_AES_256_GCM_SHA384";
  private static final String WHO = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final String MAY = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

  @TempDir Path folder;

  private final FakeApiServer apiServer = new FakeApiServer();
  private final List<String> fatal = new CopyOnWriteArrayList<>();
  private ControllerEndpoints endpoints;
  private Controller controller;

  @AfterEach
  void close() {
    controller.close();
    apiServer.close();
    assertThat(fatal).isEmpty();
  }

  @Test
  void speakTlsOf12And13WhereNothingElseIsSaid() throws Exception {
    start("", "");

    for (int port : endpoints.tlsPorts()) {
      for (String version : List.of("TLSv1.2", "TLSv1.3")) {
        assertThat(handshake(port, version)).map(SSLSession::getProtocol).contains(version);
      }
    }
  }

  @Test
  void speakNothingOlderThanTheyAreTold() throws Exception {
    start("tls: {minVersion: '1.3'}", "");

    for (int port : endpoints.tlsPorts()) {
      assertThat(handshake(port, "TLSv1.3")).map(SSLSession::getProtocol).contains("TLSv1.3");
      assertThat(handshake(port, "TLSv1.2")).isEmpty();
    }
  }

  @Test
  void useNoOtherCipherSuitesThanTheyAreTold() throws Exception {
    start("tls: {cipherSuites: [" + AES_128 + "]}", "");

    for (int port : endpoints.tlsPorts()) {
      assertThat(handshake(port, "TLSv1.3", AES_256, AES_128))
          .map(SSLSession::getCipherSuite)
          .contains(AES_128);
      assertThat(handshake(port, "TLSv1.3", AES_256)).isEmpty();
    }
  }

  @Test
  void tellMetricsToWhomTheApiServerKnowsAndLets() throws Exception {
    start("", "auth: {enabled: true}, ");
    apiServer.serve(MAY, "{\"status\": {\"allowed\": true}}");

    apiServer.serve(WHO, "{\"status\": {\"authenticated\": false}}");
    assertThat(endpoints.read("/metrics", null).statusCode()).isEqualTo(401);
    assertThat(endpoints.read("/metrics", "Bearer stranger").statusCode()).isEqualTo(401);
    apiServer.serve(
        WHO, "{\"status\": {\"authenticated\": true, \"user\": {\"username\": \"u\"}}}");
    HttpResponse<String> told = endpoints.read("/metrics", "Bearer reader");
    assertThat(told.statusCode()).isEqualTo(200);
    assertThat(told.body()).contains("jvm_", "controller_runtime_max_concurrent_reconciles");
    apiServer.serve(MAY, "{\"status\": {\"allowed\": false}}");
    HttpResponse<String> kept = endpoints.read("/metrics", "Bearer snooper");
    assertThat(kept.statusCode()).isEqualTo(403);
    assertThat(kept.body()).isEmpty();
    apiServer.serve(WHO, "not JSON");
    assertThat(endpoints.read("/metrics", "Bearer other").statusCode()).isEqualTo(500);

    assertThat(endpoints.read("/other", "Bearer reader").statusCode()).isEqualTo(404);
  }

  @Test
  void tellMetricsToAnybodyWhereNothingElseIsSaid() throws Exception {
    start("", "");

    assertThat(endpoints.read("/metrics", null).statusCode()).isEqualTo(200);
  }

  /**
   * Starts a controller.
   *
   * @param more of its configuration, YAML
   * @param ofMetrics fields of metrics, in flow style, with a comma behind each
   */
  private void start(String more, String ofMetrics) throws Exception {
    TestCertificate certificate = TestCertificate.create();
    certificate.writeTo(folder);
    endpoints = new ControllerEndpoints(certificate.certificate());
    controller =
        new Controller(
            CommandLine.parse(
                    "--kubeconfig=" + apiServer.writeKubeconfig(folder),
                    "--cert-dir=" + folder,
                    "--operator-namespace=ops")
                .orElseThrow(),
            ConfigurationReader.read(
                "test.yaml",
                endpoints.configuration(more).replace("metrics: {", "metrics: {" + ofMetrics)),
            fatal::add);
    controller.start();
  }

  /** What a client and a server agree on; empty when they don't. */
  private static Optional<SSLSession> handshake(int port, String version, String... suites)
      throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsAll()}, null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setEnabledProtocols(new String[] {version});
      if (suites.length > 0) {
        socket.setEnabledCipherSuites(suites);
      }
      socket.startHandshake();
      return Optional.of(socket.getSession());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** It asks how they serve, not who they are. */
  private static final class TrustsAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
