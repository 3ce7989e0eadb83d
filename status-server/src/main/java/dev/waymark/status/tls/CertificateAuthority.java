package dev.waymark.status.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
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
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.IPAddress;

/**
 * A certificate authority for TLS servers. Immutable, safe for every thread.
 *
 * <p>Keys that it makes are on the curve P-256: they are made in milliseconds, and every Java has
 * the curve but images before JDK 22 that were linked without {@code jdk.crypto.ec}.
 */
public final class CertificateAuthority {

  /** Certificates are good from this long before they were made: some clocks are behind. */
  public static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final PrivateKey key;
  private final X509Certificate certificate;

  private CertificateAuthority(PrivateKey key, X509Certificate certificate) {
    this.key = key;
    this.certificate = certificate;
  }

  /**
   * Makes a new one, with a key and a certificate that it signs itself.
   *
   * @param name in the notation of RFC 2253, such as {@code CN=demo}
   * @param validity counted from now
   */
  public static CertificateAuthority create(String name, Duration validity, Instant now) {
    X500Principal principal = new X500Principal(name);
    try {
      KeyPair keys = newKeys();
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
                  principal,
                  newSerial(),
                  Date.from(now.minus(CLOCK_SKEW)),
                  Date.from(now.plus(validity)),
                  principal,
                  keys.getPublic())
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      addKeyIdentifier(builder, keys.getPublic());
      return new CertificateAuthority(keys.getPrivate(), sign(builder, keys.getPrivate()));
    } catch (GeneralSecurityException | IOException e) {
      throw cannotMake(e);
    }
  }

  /** One that was made before, by whomever. The key must be that of the certificate. */
  public static CertificateAuthority of(PrivateKey key, X509Certificate certificate) {
    return new CertificateAuthority(key, certificate);
  }

  /** Signs what it issues. */
  public PrivateKey key() {
    return key;
  }

  /** What clients have to trust. */
  public X509Certificate certificate() {
    return certificate;
  }

  /**
   * Makes a key, and a certificate for a server.
   *
   * @param hosts DNS names and IP addresses under which clients know the server, at least one; the
   *     first is the certificate's subject
   * @param validity counted from now; ends with the authority's own at the latest
   */
  public ServerIdentity issue(List<String> hosts, Duration validity, Instant now) {
    try {
      return issue(newKeys(), hosts, validity, now);
    } catch (GeneralSecurityException e) {
      throw cannotMake(e);
    }
  }

  /** The same for a key that is there already. */
  public ServerIdentity issue(KeyPair keys, List<String> hosts, Duration validity, Instant now) {
    Date end = Date.from(now.plus(validity));
    Date last = certificate.getNotAfter();
    try {
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
                  certificate,
                  newSerial(),
                  Date.from(now.minus(CLOCK_SKEW)),
                  end.before(last) ? end : last,
                  new X500Principal("CN=" + hosts.get(0)),
                  keys.getPublic())
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
              .addExtension(
                  Extension.extendedKeyUsage,
                  false,
                  new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
              .addExtension(Extension.subjectAlternativeName, false, names(hosts));
      addKeyIdentifier(builder, keys.getPublic());
      // Taken from the certificate, not computed: Go 1.25 and Java differ in how they do it.
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(certificate));
      return new ServerIdentity(keys.getPrivate(), List.of(sign(builder, key), certificate));
    } catch (GeneralSecurityException | IOException e) {
      throw cannotMake(e);
    }
  }

  private static GeneralNames names(List<String> hosts) {
    return new GeneralNames(
        hosts.stream()
            .map(
                host ->
                    new GeneralName(
                        IPAddress.isValid(host) ? GeneralName.iPAddress : GeneralName.dNSName,
                        host))
            .toArray(GeneralName[]::new));
  }

  private static void addKeyIdentifier(X509v3CertificateBuilder builder, PublicKey subject)
      throws GeneralSecurityException, IOException {
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(subject));
  }

  private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException {
    String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(key)));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
    return generator.generateKeyPair();
  }

  private static BigInteger newSerial() {
    return new BigInteger(128, RANDOM).setBit(0);
  }

  private static IllegalStateException cannotMake(Exception cause) {
    return new IllegalStateException(
        "This Java can't make a certificate: " + cause.getMessage(), cause);
  }
}
