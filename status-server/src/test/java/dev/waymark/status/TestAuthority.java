package dev.waymark.status;

import dev.waymark.status.tls.CertificateAuthority;
import dev.waymark.status.tls.ServerIdentity;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate authority that lives as long as a test; its leaves are for 127.0.0.1. */
final class TestAuthority {

  private static final Duration VALIDITY = Duration.ofHours(1);

  private final CertificateAuthority authority =
      CertificateAuthority.create("CN=test authority", VALIDITY, Instant.now());

  ServerIdentity issue(String commonName) {
    return authority.issue(List.of(commonName, "127.0.0.1"), VALIDITY, Instant.now());
  }

  ServerIdentity issueRsa(String commonName) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return authority.issue(
        generator.generateKeyPair(), List.of(commonName, "127.0.0.1"), VALIDITY, Instant.now());
  }

  /** A client's context that trusts this authority; each has sessions of its own. */
  SSLContext clientContext() throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", authority.certificate());
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
