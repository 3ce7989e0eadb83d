package dev.waymark.status.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CipherSuitesTest {

  @Test
  void thoseWithChaCha20ComeFirstInTheirOrder() {
    assertThat(
            CipherSuites.inOrder(
                List.of(
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256",
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256")))
        .containsExactly(
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256");
  }

  @Test
  void theOneOfTls13IsAddedOnlyWhereItIsSupported() {
    List<String> enabled = List.of("TLS_AES_128_GCM_SHA256");

    assertThat(CipherSuites.inOrder(enabled, enabled)).isEqualTo(enabled);
    assertThat(
            CipherSuites.inOrder(
                enabled, List.of("TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256")))
        .containsExactly("TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256");
  }
}
