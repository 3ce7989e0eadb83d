package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.status.http.HttpAnswer;
import dev.waymark.status.http.WebServer;
import dev.waymark.status.tls.CertificateAuthority;
import dev.waymark.status.tls.ServerCertificate;
import dev.waymark.status.tls.ServerIdentity;
import io.netty.handler.ssl.OpenSsl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * TLS with the library that lies beside the controller; the status server's own tests have none.
 */
@Timeout(60)
class NativeTlsTest {

  private static final Duration VALIDITY = Duration.ofHours(1);

  /** Comes first where the JDK serves, and never in BoringSSL's TLS 1.2 as Netty sets it up. */
  private static final String CHACHA20 = "_CHACHA20_";

  private final CertificateAuthority authority =
      CertificateAuthority.create("CN=test authority", VALIDITY, Instant.now());
  private final ServerCertificate certificate = new ServerCertificate();
  private final Vertx vertx = Vertx.vertx();
  private WebServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        WebServer.builder(
                vertx, (head, body) -> Future.succeededFuture(HttpAnswer.text(200, head.target())))
            .certificate(certificate)
            .host("127.0.0.1")
            .start();
  }

  @AfterEach
  void stop() {
    server.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void canBeLoadedHere() {
    assertThat(OpenSsl.unavailabilityCause()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"RSA, TLSv1.2", "RSA, TLSv1.3", "EC, TLSv1.2", "EC, TLSv1.3"})
  void servesBothKindsOfKeyToBothProtocols(String kind, String protocol) throws Exception {
    ServerIdentity identity = issue(kind);
    certificate.replace(identity);

    SSLSession session = session(protocol);

    assertThat(session.getProtocol()).isEqualTo(protocol);
    assertThat(session.getPeerCertificates()[0]).isEqualTo(identity.leaf());
    if (protocol.equals("TLSv1.2")) {
      assertThat(session.getCipherSuite()).doesNotContain(CHACHA20);
    }
  }

  @Test
  void theJdkServesKeysThatItAloneCanUse() throws Exception {
    ServerIdentity identity = issue("Ed25519");
    certificate.replace(identity);

    SSLSession session = session("TLSv1.3");

    assertThat(session.getPeerCertificates()[0]).isEqualTo(identity.leaf());
    assertThat(session.getCipherSuite()).contains(CHACHA20);
  }

  @Test
  void theNextHandshakeShowsTheNewCertificate() throws Exception {
    assertThatThrownBy(() -> session("TLSv1.3")).isInstanceOf(IOException.class);

    for (String kind : List.of("EC", "RSA", "Ed25519", "EC")) {
      ServerIdentity next = issue(kind);
      certificate.replace(next);
      assertThat(session("TLSv1.3").getPeerCertificates()[0]).isEqualTo(next.leaf());
    }
  }

  private ServerIdentity issue(String kind) throws GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance(kind);
    if (!kind.equals("Ed25519")) {
      keys.initialize(kind.equals("EC") ? 256 : 2048);
    }
    return authority.issue(keys.generateKeyPair(), List.of("127.0.0.1"), VALIDITY, Instant.now());
  }

  /** Of a client that has never been there before; it has got an answer. */
  private SSLSession session(String protocol) throws Exception {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(new String[] {protocol});
    HttpClient client =
        HttpClient.newBuilder()
            .sslContext(ControllerEndpoints.trusting(authority.certificate()))
            .sslParameters(parameters)
            .build();
    URI uri = URI.create("https://127.0.0.1:" + server.port() + "/path");
    HttpResponse<String> answer =
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    assertThat(answer.body()).isEqualTo("/path");
    return answer.sslSession().orElseThrow();
  }
}
