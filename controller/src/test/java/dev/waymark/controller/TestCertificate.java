package dev.waymark.controller;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate that signs itself, as the files that the controller reads. */
public record TestCertificate(X509Certificate certificate, KeyPair keys) {

  /**
   * Makes one with a new key.
   *
   * @param hosts names that it is for, beside 127.0.0.1
   */
  public static TestCertificate create(String... hosts) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      KeyPair keys = generator.generateKeyPair();
      Instant now = Instant.now();
      X500Principal name = new X500Principal("CN=waymark test");
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              name,
              BigInteger.valueOf(now.toEpochMilli()),
              Date.from(now.minus(Duration.ofMinutes(1))),
              Date.from(now.plus(Duration.ofHours(1))),
              name,
              keys.getPublic());
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              Stream.concat(
                      Stream.of(new GeneralName(GeneralName.iPAddress, "127.0.0.1")),
                      Stream.of(hosts).map(host -> new GeneralName(GeneralName.dNSName, host)))
                  .toArray(GeneralName[]::new)));
      X509Certificate certificate =
          new JcaX509CertificateConverter()
              .getCertificate(
                  builder.build(
                      new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
      return new TestCertificate(certificate, keys);
    } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes tls.crt, tls.key and ca.crt into a folder. */
  public void writeTo(Path folder) throws IOException {
    String chain = pem(certificate);
    Files.writeString(folder.resolve("tls.key"), pkcs8());
    Files.writeString(folder.resolve("ca.crt"), chain);
    Files.writeString(folder.resolve("tls.crt"), chain);
  }

  /** The key as PKCS #8. */
  public String pkcs8() {
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(keys.getPrivate().getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }

  /** Anything that OpenSSL's older forms know, as PEM. */
  public static String pem(Object object) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    }
    return text.toString();
  }
}
