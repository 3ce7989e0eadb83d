package dev.waymark.status.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** Certificates and keys as PEM, the text in which Kubernetes keeps them. */
public final class Pem {

  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  /** One certificate after the other. */
  public static String of(List<X509Certificate> certificates) {
    return write(certificates);
  }

  /** A key as {@code PRIVATE KEY} (PKCS #8), not encrypted. */
  public static String of(PrivateKey key) {
    try {
      return write(List.of(new JcaPKCS8Generator(key, null)));
    } catch (IOException e) {
      throw new IllegalArgumentException("a key that can't be written", e);
    }
  }

  /**
   * The certificates in a text.
   *
   * @return at least one
   * @throws GeneralSecurityException when there is none, or one is damaged
   */
  public static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
    List<X509Certificate> certificates = new ArrayList<>();
    CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)))
        .forEach(certificate -> certificates.add((X509Certificate) certificate));
    if (certificates.isEmpty()) {
      throw new CertificateException("there is no certificate in it");
    }
    return List.copyOf(certificates);
  }

  /**
   * The first private key in a text: PKCS #8, or the older forms of RSA and EC keys, which Go
   * writes.
   *
   * @throws GeneralSecurityException when there is none, or it is damaged or encrypted
   */
  public static PrivateKey key(String text) throws GeneralSecurityException {
    // The JDK alone where it can: loading Bouncy Castle takes a tenth of a second.
    Matcher pkcs8 = PKCS8.matcher(text);
    try {
      return pkcs8.find()
          ? ofPkcs8(Base64.getMimeDecoder().decode(pkcs8.group(1)))
          : olderKey(text);
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("a damaged key: " + e.getMessage(), e);
    }
  }

  private static PrivateKey ofPkcs8(byte[] encoded) throws GeneralSecurityException {
    for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException e) {
        // One of the others, then.
      }
    }
    throw new GeneralSecurityException("a damaged key, or one of no kind that this Java knows");
  }

  private static PrivateKey olderKey(String text) throws GeneralSecurityException {
    JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
    try (PEMParser parser = new PEMParser(new StringReader(text))) {
      for (Object found = parser.readObject(); found != null; found = parser.readObject()) {
        if (found instanceof PEMKeyPair pair) {
          return converter.getPrivateKey(pair.getPrivateKeyInfo());
        }
      }
    } catch (IOException e) {
      throw new GeneralSecurityException("a damaged key: " + e.getMessage(), e);
    }
    throw new GeneralSecurityException("there is no private key in it that isn't encrypted");
  }

  private static String write(List<?> objects) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      for (Object object : objects) {
        writer.writeObject(object);
      }
    } catch (IOException e) {
      throw new IllegalStateException("A string takes all that is written", e);
    }
    return text.toString();
  }

  private Pem() {}
}
