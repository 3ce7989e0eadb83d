package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.cli.run.LocalAuthority.ServerIdentity;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LocalAuthorityTest {

  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  private final LocalAuthority authority = LocalAuthority.create(NOW);
  private final ServerIdentity server = authority.issueForLoopback();

  @Test
  void issuesACertificateThatItsOwnVouchesFor() throws Exception {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    X509Certificate root =
        (X509Certificate)
            factory.generateCertificate(
                new ByteArrayInputStream(
                    authority.certificate().getBytes(StandardCharsets.US_ASCII)));
    PKIXParameters trust = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
    trust.setRevocationEnabled(false);
    trust.setDate(Date.from(NOW));

    CertPathValidator.getInstance("PKIX")
        .validate(factory.generateCertPath(server.chain().subList(0, 1)), trust);
    assertThat(server.chain().get(1)).isEqualTo(root);
  }

  @Test
  void isForThisMachineAndForServersOnly() throws Exception {
    X509Certificate leaf = server.chain().get(0);

    assertThat(leaf.getSubjectAlternativeNames())
        .<Object>extracting(name -> name.get(1))
        .containsExactlyInAnyOrder("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(leaf.getBasicConstraints()).as("no authority").isEqualTo(-1);
    assertThat(server.chain().get(1).getBasicConstraints()).as("issues leaves only").isZero();
  }

  @Test
  void outlivesALongTrainingAndTakesAClockThatIsABitBehind() {
    for (X509Certificate certificate : server.chain()) {
      assertThat(certificate.getNotBefore()).isEqualTo(Date.from(NOW.minus(Duration.ofMinutes(5))));
      assertThat(certificate.getNotAfter()).isEqualTo(Date.from(NOW.plus(Duration.ofDays(365))));
    }
  }

  @Test
  void twoRunsShareNothing() {
    LocalAuthority other = LocalAuthority.create(NOW);

    assertThat(List.of(other.certificate())).doesNotContain(authority.certificate());
    assertThat(other.issueForLoopback().key()).isNotEqualTo(server.key());
  }
}
