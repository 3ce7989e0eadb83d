package dev.waymark.cli.run;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority for one run on this machine. Its key never leaves the memory and goes
 * when the run ends, so nobody can use it to speak for anything else.
 *
 * <p>Keys are on the curve P-256: they are made in milliseconds, and every Java has the curve but
 * images before JDK 22 that were linked without {@code jdk.crypto.ec}.
 */
final class LocalAuthority {

  /** Longer than a training takes. */
  private static final Duration VALIDITY = Duration.ofDays(365);

  private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

  private final SecureRandom random = new SecureRandom();
  private final X500Name name = new X500Name("CN=waymark run");
  private final KeyPair keys;
  private final X509Certificate certificate;
  private final Date notBefore;
  private final Date notAfter;

  private LocalAuthority(Instant now) throws GeneralSecurityException, IOException {
    notBefore = Date.from(now.minus(CLOCK_SKEW));
    notAfter = Date.from(now.plus(VALIDITY));
    keys = newKeys();
    certificate =
        sign(
            certificateFor(name, keys)
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign)));
  }

  /** What a TLS server shows: its key, and its certificate followed by the authority's. */
  record ServerIdentity(PrivateKey key, List<X509Certificate> chain) {}

  static LocalAuthority create(Instant now) {
    try {
      return new LocalAuthority(now);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("This Java can't make a certificate: " + e.getMessage(), e);
    }
  }

  /** The authority's own certificate, as PEM: what a client has to trust. */
  String certificate() {
    return pem(certificate);
  }

  /** A new key and a certificate for {@code localhost}, {@code 127.0.0.1} and {@code ::1}. */
  ServerIdentity issueForLoopback() {
    GeneralName[] names = {
      new GeneralName(GeneralName.dNSName, "localhost"),
      new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
      new GeneralName(GeneralName.iPAddress, "::1")
    };
    try {
      KeyPair serverKeys = newKeys();
      X509Certificate server =
          sign(
              certificateFor(new X500Name("CN=localhost"), serverKeys)
                  .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                  .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                  .addExtension(
                      Extension.extendedKeyUsage,
                      false,
                      new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                  .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names)));
      return new ServerIdentity(serverKeys.getPrivate(), List.of(server, certificate));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("This Java can't make a certificate: " + e.getMessage(), e);
    }
  }

  private KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), random);
    return generator.generateKeyPair();
  }

  private X509v3CertificateBuilder certificateFor(X500Name subject, KeyPair subjectKeys)
      throws GeneralSecurityException, IOException {
    JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
    return new JcaX509v3CertificateBuilder(
            name,
            new BigInteger(128, random).setBit(0),
            notBefore,
            notAfter,
            subject,
            subjectKeys.getPublic())
        .addExtension(
            Extension.subjectKeyIdentifier,
            false,
            identifiers.createSubjectKeyIdentifier(subjectKeys.getPublic()))
        .addExtension(
            Extension.authorityKeyIdentifier,
            false,
            identifiers.createAuthorityKeyIdentifier(keys.getPublic()));
  }

  private X509Certificate sign(X509v3CertificateBuilder builder) throws GeneralSecurityException {
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static String pem(X509Certificate certificate) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(certificate);
    } catch (IOException e) {
      throw new IllegalStateException("A string takes all that is written", e);
    }
    return text.toString();
  }
}
