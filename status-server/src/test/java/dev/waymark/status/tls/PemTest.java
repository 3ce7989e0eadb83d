package dev.waymark.status.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PemTest {

  /** Of no use but here. */
  private static final String EC_KEY_OF_OPENSSL =
      """
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEINPdIjCJouY9v58CqkqZ060OXOfEBB0BL/05nyT1sJuVoAoGCCqGSM49
      AwEHoUQDQgAEhprGakPyBOyrf4gGMbSdii7Jr+4XlEyFwYvfH5cNnZVzKlR08vtz
      2YoIXJVQt8lytNuyh4432Bp7tmUs1TU+iA==
      -----END EC PRIVATE KEY-----
      """;

  private static final String SAME_KEY_AS_PKCS8 =
      """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg090iMImi5j2/nwKq
      SpnTrQ5c58QEHQEv/TmfJPWwm5WhRANCAASGmsZqQ/IE7Kt/iAYxtJ2KLsmv7heU
      TIXBi98flw2dlXMqVHTy+3PZighclVC3yXK027KHjjfYGnu2ZSzVNT6I
      -----END PRIVATE KEY-----
      """;

  @Test
  void readsTheCertificatesThatItWrote() throws Exception {
    List<X509Certificate> two = List.of(certificate("CN=a"), certificate("CN=b"));

    assertThat(Pem.of(two)).startsWith("-----BEGIN CERTIFICATE-----\n");
    assertThat(Pem.certificates(Pem.of(two))).isEqualTo(two);
  }

  @ParameterizedTest
  @CsvSource({"RSA, 2048", "EC, 256"})
  void readsTheKeysThatItWrote(String algorithm, int bits) throws Exception {
    PrivateKey key = newKeys(algorithm, bits).getPrivate();

    assertThat(Pem.of(key)).startsWith("-----BEGIN PRIVATE KEY-----\n");
    assertThat(Pem.key(Pem.of(key))).isEqualTo(key);
  }

  @Test
  void readsTheOlderFormOfRsaKeys() throws Exception {
    KeyPair keys = newKeys("RSA", 2048);
    StringWriter older = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(older)) {
      writer.writeObject(keys);
    }

    assertThat(older.toString()).contains("BEGIN RSA PRIVATE KEY");
    assertThat(Pem.key(older.toString()).getEncoded()).isEqualTo(keys.getPrivate().getEncoded());
  }

  @Test
  void readsTheOlderFormOfEcKeys() throws Exception {
    ECPrivateKey older = (ECPrivateKey) Pem.key(EC_KEY_OF_OPENSSL);

    assertThat(older.getAlgorithm()).isEqualTo("EC");
    assertThat(older.getS()).isEqualTo(((ECPrivateKey) Pem.key(SAME_KEY_AS_PKCS8)).getS());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not PEM",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nA===\n-----END PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
      })
  void refusesWhatIsNone(String text) {
    assertThatThrownBy(() -> Pem.key(text)).isInstanceOf(GeneralSecurityException.class);
    assertThatThrownBy(() -> Pem.certificates(text)).isInstanceOf(GeneralSecurityException.class);
  }

  private static KeyPair newKeys(String algorithm, int bits) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(bits);
    return generator.generateKeyPair();
  }

  private static X509Certificate certificate(String name) {
    return CertificateAuthority.create(name, Duration.ofDays(1), Instant.now()).certificate();
  }
}
