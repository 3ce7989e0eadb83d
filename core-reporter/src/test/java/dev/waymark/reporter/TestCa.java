package dev.waymark.reporter;

import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority that lives as long as a test. */
final class TestCa {
  private static final AtomicLong SERIAL = new AtomicLong(1);

  private final KeyPair keys = newKeys();
  private final X500Name name;
  private final X509Certificate certificate;

  TestCa(String commonName) {
    name = new X500Name("CN=" + commonName);
    certificate = issue(name, keys, true, Duration.ofDays(1), new GeneralName[0]);
  }

  /** The CA's own certificate. */
  X509Certificate certificate() {
    return certificate;
  }

  /** A server's TLS for these names, DNS names or IP addresses. */
  SSLContext serverFor(String... hosts) {
    return server(Duration.ofDays(1), hosts);
  }

  /** The same, with a certificate that ended an hour ago. */
  SSLContext expiredServerFor(String... hosts) {
    return server(Duration.ofHours(-1), hosts);
  }

  /** Writes a bundle with the certificates of all these authorities. */
  static Path write(Path file, TestCa... authorities) {
    StringBuilder bundle = new StringBuilder();
    for (TestCa ca : authorities) {
      bundle.append("# ").append(ca.name).append('\n').append(pem(ca.certificate));
    }
    try {
      return Files.writeString(file, bundle.toString());
    } catch (java.io.IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String pem(Certificate certificate) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(certificate);
    } catch (java.io.IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private SSLContext server(Duration validFor, String... hosts) {
    GeneralName[] names = new GeneralName[hosts.length];
    for (int i = 0; i < hosts.length; i++) {
      boolean ip = hosts[i].matches("[0-9.]+|.*:.*");
      names[i] = new GeneralName(ip ? GeneralName.iPAddress : GeneralName.dNSName, hosts[i]);
    }
    KeyPair serverKeys = newKeys();
    X509Certificate own = issue(new X500Name("CN=server"), serverKeys, false, validFor, names);
    return context(serverKeys.getPrivate(), own, certificate);
  }

  private X509Certificate issue(
      X500Name subject, KeyPair subjectKeys, boolean ca, Duration validFor, GeneralName[] names) {
    try {
      Instant now = Instant.now();
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              name,
              BigInteger.valueOf(SERIAL.getAndIncrement()),
              Date.from(now.minus(Duration.ofDays(1))),
              Date.from(now.plus(validFor)),
              subject,
              subjectKeys.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(ca));
      if (names.length > 0) {
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static SSLContext context(PrivateKey key, Certificate... chain) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("server", key, new char[0], chain);
      KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
      keyManagers.init(store, new char[0]);
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(keyManagers.getKeyManagers(), null, null);
      return tls;
    } catch (GeneralSecurityException | java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
