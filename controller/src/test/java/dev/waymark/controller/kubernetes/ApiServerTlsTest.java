package dev.waymark.controller.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.controller.FakeApiServer;
import dev.waymark.controller.TestCertificate;
import dev.waymark.status.tls.CertificateAuthority;
import dev.waymark.status.tls.Pem;
import dev.waymark.status.tls.ServerIdentity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whom the controller trusts on its way to the API server. With a certificate of its own the JDK
 * makes the connection, without one BoringSSL.
 */
@Timeout(60)
class ApiServerTlsTest {

  private static final String PATH = "/version";

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final TestCertificate certificate = TestCertificate.create();
  private FakeApiServer apiServer;

  @BeforeEach
  void start() throws IOException {
    certificate.writeTo(folder);
    apiServer = new FakeApiServer(folder.resolve("tls.crt"), folder.resolve("tls.key"));
    apiServer.serve(PATH, "it is I");
  }

  @AfterEach
  void stop() {
    apiServer.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void trustsTheAuthorityThatItIsTold(boolean hasCertificate) throws Exception {
    assertThat(read("127.0.0.1", certificate, hasCertificate)).isEqualTo("it is I");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void trustsNobodyWhomAnotherHasSigned(boolean hasCertificate) {
    assertThatThrownBy(() -> read("127.0.0.1", TestCertificate.create(), hasCertificate))
        .rootCause()
        .isInstanceOf(GeneralSecurityException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void trustsNobodyUnderAnotherName(boolean hasCertificate) {
    assertThatThrownBy(() -> read("localhost", certificate, hasCertificate))
        .rootCause()
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining("localhost");
  }

  private String read(String host, TestCertificate trusted, boolean hasCertificate)
      throws IOException, GeneralSecurityException {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters:
              - name: it
                cluster: {server: "https://%s:%d", certificate-authority-data: %s}
            users: [{name: it, user: {%s}}]
            contexts: [{name: it, context: {cluster: it, user: it}}]
            current-context: it
            """
                .formatted(
                    host,
                    URI.create(apiServer.url()).getPort(),
                    base64(Pem.of(List.of(trusted.certificate()))),
                    hasCertificate ? clientCertificate() : ""));
    try (KubernetesClient client =
        ClusterConnection.open(Optional.of(kubeconfig), vertx, List.of())) {
      return new String(new ApiServer(client).read(PATH).join(), UTF_8);
    }
  }

  private static String clientCertificate() throws GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
    keys.initialize(2048);
    Duration validity = Duration.ofHours(1);
    ServerIdentity identity =
        CertificateAuthority.create("CN=of clients", validity, Instant.now())
            .issue(keys.generateKeyPair(), List.of("client"), validity, Instant.now());
    return "client-certificate-data: "
        + base64(Pem.of(identity.chain()))
        + ", client-key-data: "
        + base64(Pem.of(identity.key()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }
}
