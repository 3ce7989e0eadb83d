package dev.waymark.status.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
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

class CertificateAuthorityTest {

  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final Duration YEAR = Duration.ofDays(365);
  private static final List<String> HOSTS = List.of("localhost", "127.0.0.1", "::1");

  private final CertificateAuthority authority = CertificateAuthority.create("CN=demo", YEAR, NOW);
  private final ServerIdentity server = authority.issue(HOSTS, Duration.ofDays(30), NOW);

  @Test
  void issuesACertificateThatItsOwnVouchesFor() throws Exception {
    assertThatCode(() -> validate(server, authority)).doesNotThrowAnyException();
    assertThat(server.chain().get(1)).isEqualTo(authority.certificate());

    CertificateAuthority other = CertificateAuthority.create("CN=demo", YEAR, NOW);
    assertThatThrownBy(() -> validate(server, other))
        .isInstanceOf(CertPathValidatorException.class);
  }

  @Test
  void isForItsHostsAndForServersOnly() throws Exception {
    assertThat(server.leaf().getSubjectAlternativeNames())
        .<Object>extracting(name -> name.get(1))
        .containsExactlyInAnyOrder("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(server.leaf().getSubjectX500Principal().getName()).isEqualTo("CN=localhost");
    assertThat(server.leaf().getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(server.leaf().getBasicConstraints()).as("no authority").isEqualTo(-1);
    assertThat(authority.certificate().getBasicConstraints()).as("issues leaves only").isZero();
  }

  @Test
  void takesAClockThatIsABitBehindAndNeverOutlivesItsAuthority() {
    Date start = Date.from(NOW.minus(Duration.ofMinutes(5)));
    assertThat(authority.certificate().getNotBefore()).isEqualTo(start);
    assertThat(authority.certificate().getNotAfter()).isEqualTo(Date.from(NOW.plus(YEAR)));
    assertThat(server.leaf().getNotBefore()).isEqualTo(start);
    assertThat(server.leaf().getNotAfter()).isEqualTo(Date.from(NOW.plus(Duration.ofDays(30))));

    assertThat(authority.issue(HOSTS, YEAR.multipliedBy(2), NOW).leaf().getNotAfter())
        .isEqualTo(authority.certificate().getNotAfter());
  }

  @Test
  void goesOnFromWhatWasWrittenDown() throws Exception {
    CertificateAuthority again =
        CertificateAuthority.of(
            Pem.key(Pem.of(authority.key())),
            Pem.certificates(Pem.of(List.of(authority.certificate()))).get(0));

    assertThatCode(() -> validate(again.issue(HOSTS, YEAR, NOW), authority))
        .doesNotThrowAnyException();
  }

  @Test
  void certifiesKeysOfOtherKinds() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair keys = generator.generateKeyPair();

    ServerIdentity rsa = authority.issue(keys, HOSTS, YEAR, NOW);

    assertThat(rsa.leaf().getPublicKey()).isEqualTo(keys.getPublic());
    assertThatCode(() -> validate(rsa, authority)).doesNotThrowAnyException();
  }

  @Test
  void twoShareNothing() {
    CertificateAuthority other = CertificateAuthority.create("CN=demo", YEAR, NOW);

    assertThat(other.key()).isNotEqualTo(authority.key());
    assertThat(other.certificate().getSerialNumber())
        .isNotEqualTo(authority.certificate().getSerialNumber());
    assertThat(other.issue(HOSTS, YEAR, NOW).key()).isNotEqualTo(server.key());
  }

  private static void validate(ServerIdentity server, CertificateAuthority trusted)
      throws Exception {
    X509Certificate root = trusted.certificate();
    PKIXParameters trust = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
    trust.setRevocationEnabled(false);
    trust.setDate(Date.from(NOW));
    CertPathValidator.getInstance("PKIX")
        .validate(
            CertificateFactory.getInstance("X.509").generateCertPath(List.of(server.leaf())),
            trust);
  }
}
