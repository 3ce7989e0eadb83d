package dev.waymark.controller.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.status.tls.CertificateAuthority;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredCertificatesTest {

  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  private final StoredCertificates certificates = made();
  private final Map<String, String> pem = certificates.toPem();

  @Test
  void areReadAsTheyWereWritten() {
    StoredCertificates read = StoredCertificates.read(pem);

    assertThat(pem).containsOnlyKeys("ca.crt", "ca.key", "tls.crt", "tls.key");
    assertThat(read.authorities()).isEqualTo(certificates.authorities());
    assertThat(read.signer().key()).isEqualTo(certificates.signer().key());
    assertThat(read.server()).isEqualTo(certificates.server());
    assertThat(read.toPem()).isEqualTo(pem);
  }

  @Test
  void thereAreNoneInAnEmptySecret() {
    assertThat(StoredCertificates.read(Map.of())).isEqualTo(StoredCertificates.NONE);
  }

  /** What is damaged, or not of the same pair, counts as absent; the rest stays. */
  @ParameterizedTest
  @CsvSource({
    "ca.crt, damaged, false, false, true",
    "ca.crt, other, true, false, true",
    "ca.key, damaged, true, false, true",
    "ca.key, other, true, false, true",
    "ca.key, absent, true, false, true",
    "tls.crt, damaged, true, true, false",
    "tls.crt, other, true, true, false",
    "tls.key, damaged, true, true, false",
    "tls.key, other, true, true, false",
    "tls.key, absent, true, true, false",
  })
  void damagedPartsCountAsAbsent(
      String key, String damage, boolean authorities, boolean signer, boolean server) {
    Map<String, String> damaged = new HashMap<>(pem);
    switch (damage) {
      case "absent" -> damaged.remove(key);
      case "other" -> damaged.put(key, made().toPem().get(key));
      default -> damaged.put(key, pem.get(key).replaceFirst("M", "!"));
    }

    StoredCertificates read = StoredCertificates.read(damaged);

    assertThat(!read.authorities().isEmpty()).isEqualTo(authorities);
    assertThat(read.signer() != null).isEqualTo(signer);
    assertThat(read.server() != null).isEqualTo(server);
  }

  private static StoredCertificates made() {
    CertificateAuthority authority =
        CertificateAuthority.create("CN=demo", Duration.ofDays(10), NOW);
    return new StoredCertificates(
        List.of(authority.certificate()),
        authority,
        authority.issue(List.of("demo.svc"), Duration.ofDays(5), NOW));
  }
}
