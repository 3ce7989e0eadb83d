package dev.waymark.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.status.tls.ServerCertificate;
import dev.waymark.status.tls.ServerIdentity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ServerCertificateTest {

  @Test
  void theNextHandshakeShowsTheNewCertificateAndOpenConnectionsStay() throws Exception {
    try (TestServer running = new TestServer();
        TlsClient before = running.connectAsStranger()) {
      assertThat(subject(before)).isEqualTo("CN=first");

      for (ServerIdentity next :
          List.of(
              running.authority.issue("second"),
              running.authority.issueRsa("third"),
              running.authority.issue("fourth"))) {
        running.certificate.replace(next);
        try (TlsClient after = running.connectAsStranger()) {
          assertThat(after.serverCertificate()).isEqualTo(next.leaf());
        }
      }

      before.send(running.goodRequest());
      assertThat(before.receive().code()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({"TLSv1.2, EC", "TLSv1.2, RSA", "TLSv1.3, EC", "TLSv1.3, RSA"})
  void servesBothKindsOfKeyToBothProtocols(String protocol, String algorithm) throws Exception {
    try (TestServer running = new TestServer()) {
      ServerIdentity identity =
          algorithm.equals("EC") ? running.authority.issue("x") : running.authority.issueRsa("x");
      running.certificate.replace(identity);

      try (TlsClient client = running.connectAsStranger(protocol)) {
        assertThat(client.serverCertificate()).isEqualTo(identity.leaf());
        assertThat(client.cipherSuite()).contains("_CHACHA20_");
        client.send(running.goodRequest());
        assertThat(client.receive().code()).isEqualTo(200);
      }
    }
  }

  @Test
  void aHandshakeDuringAnExchangeStaysWithOneCertificate() throws Exception {
    TestAuthority authority = new TestAuthority();
    ServerIdentity first = authority.issue("first");
    ServerIdentity second = authority.issue("second");
    ServerIdentity third = authority.issue("third");
    ServerCertificate certificate = new ServerCertificate(first);

    String alias = certificate.chooseEngineServerAlias("EC", null, null);
    certificate.replace(second);
    assertThat(certificate.getPrivateKey(alias)).isEqualTo(first.key());
    assertThat(certificate.getCertificateChain(alias)).containsExactlyElementsOf(first.chain());

    certificate.replace(third);
    assertThat(certificate.getPrivateKey(alias)).isNull();
    assertThat(certificate.getCertificateChain(alias)).isNull();
  }

  @Test
  void isForServersWithItsKindOfKeyOnly() throws Exception {
    ServerIdentity identity = new TestAuthority().issue("first");
    ServerCertificate certificate = new ServerCertificate(identity);

    assertThat(certificate.getServerAliases("EC", null)).hasSize(1);
    assertThat(certificate.getServerAliases("RSA", null)).isNull();
    assertThat(certificate.chooseServerAlias("RSA", null, null)).isNull();
    assertThat(certificate.getClientAliases("EC", null)).isNull();
    assertThat(certificate.chooseClientAlias(new String[] {"EC"}, null, null)).isNull();
  }

  @Test
  void needsAKeyAndAChain() throws Exception {
    ServerIdentity identity = new TestAuthority().issue("first");

    assertThatThrownBy(() -> new ServerIdentity(null, identity.chain()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ServerIdentity(identity.key(), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void hasNothingToShowBeforeItsFirst() throws Exception {
    ServerCertificate certificate = new ServerCertificate();
    assertThat(certificate.chooseEngineServerAlias("EC", null, null)).isNull();
    assertThat(certificate.getPrivateKey("server-0")).isNull();
    assertThat(certificate.current()).isEmpty();

    ServerIdentity first = new TestAuthority().issue("first");
    certificate.replace(first);
    String alias = certificate.chooseEngineServerAlias("EC", null, null);
    assertThat(certificate.getPrivateKey(alias)).isEqualTo(first.key());
    assertThat(certificate.current()).contains(first);
  }

  private static String subject(TlsClient client) throws Exception {
    return client.serverCertificate().getSubjectX500Principal().getName();
  }
}
