package dev.waymark.controller.certificates;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;

/** Private keys as tools write them: PKCS #8, and the older forms of RSA and EC keys. */
final class PemFiles {

  private static final String PKCS8 = "-----BEGIN PRIVATE KEY-----";
  private static final String PKCS8_END = "-----END PRIVATE KEY-----";

  /** Reads the first private key of a PEM file. */
  static PrivateKey privateKey(byte[] pem) throws IOException, GeneralSecurityException {
    String text = new String(pem, StandardCharsets.US_ASCII);
    int start = text.indexOf(PKCS8);
    int end = text.indexOf(PKCS8_END);
    // The JDK alone where it can: loading Bouncy Castle takes a tenth of a second.
    return fromPkcs8(
        start >= 0 && end > start
            ? Base64.getMimeDecoder().decode(text.substring(start + PKCS8.length(), end))
            : olderForm(text));
  }

  private static byte[] olderForm(String text) throws IOException, InvalidKeyException {
    try (PEMParser parser = new PEMParser(new StringReader(text))) {
      for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
        if (next instanceof PEMKeyPair pair) {
          return pair.getPrivateKeyInfo().getEncoded();
        }
      }
    }
    throw new InvalidKeyException("tls.key holds no private key that is not encrypted");
  }

  private static PrivateKey fromPkcs8(byte[] encoded) throws GeneralSecurityException {
    for (String algorithm : new String[] {"RSA", "EC"}) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException e) {
        // The other one, then.
      }
    }
    throw new InvalidKeyException("tls.key is neither an RSA nor an EC key");
  }

  /** Refuses a key that isn't the certificate's, as it is while one of two files is written. */
  static void checkPair(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
    String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    byte[] sample = {1, 2, 3};
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(key);
    signer.update(sample);
    byte[] signature = signer.sign();
    Signature verifier = Signature.getInstance(algorithm);
    verifier.initVerify(certified);
    verifier.update(sample);
    if (!verifier.verify(signature)) {
      throw new InvalidKeyException("tls.key is not the key of tls.crt");
    }
  }

  private PemFiles() {}
}
