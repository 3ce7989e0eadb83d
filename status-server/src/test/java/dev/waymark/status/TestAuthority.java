package dev.waymark.status;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority that lives as long as a test. */
final class TestAuthority {

  /** A leaf for 127.0.0.1 with its key. */
  record Identity(PrivateKey key, List<X509Certificate> chain) {
    X509Certificate leaf() {
      return chain.get(0);
    }
  }

  private static final X500Name NAME = new X500Name("CN=test authority");
  private static final SecureRandom RANDOM = new SecureRandom();

  private final KeyPair keys = newKeys("EC", 256);
  private final X509Certificate certificate;

  TestAuthority() throws Exception {
    X509v3CertificateBuilder builder = builder(NAME, keys.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
    certificate = sign(builder);
  }

  Identity issue(String commonName) throws Exception {
    return issue(commonName, newKeys("EC", 256));
  }

  Identity issueRsa(String commonName) throws Exception {
    return issue(commonName, newKeys("RSA", 2048));
  }

  private Identity issue(String commonName, KeyPair leafKeys) throws Exception {
    X509v3CertificateBuilder builder =
        builder(new X500Name("CN=" + commonName), leafKeys.getPublic());
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
    return new Identity(leafKeys.getPrivate(), List.of(sign(builder), certificate));
  }

  /** A client's context that trusts this authority; each has sessions of its own. */
  SSLContext clientContext() throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", certificate);
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  private X509v3CertificateBuilder builder(X500Name subject, PublicKey publicKey) {
    Instant now = Instant.now();
    return new JcaX509v3CertificateBuilder(
        NAME,
        new BigInteger(64, RANDOM),
        Date.from(now.minus(Duration.ofMinutes(5))),
        Date.from(now.plus(Duration.ofHours(1))),
        subject,
        publicKey);
  }

  private X509Certificate sign(X509v3CertificateBuilder builder) throws Exception {
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
  }

  private static KeyPair newKeys(String algorithm, int bits) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(bits);
    return generator.generateKeyPair();
  }
}
