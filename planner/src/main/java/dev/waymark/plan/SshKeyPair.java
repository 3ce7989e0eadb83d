package dev.waymark.plan;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.Base64;
import org.bouncycastle.asn1.sec.SECNamedCurves;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.generators.ECKeyPairGenerator;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.ECKeyGenerationParameters;
import org.bouncycastle.crypto.params.ECNamedDomainParameters;
import org.bouncycastle.crypto.util.OpenSSHPublicKeyUtil;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * The keys by which an MPI launcher reaches its nodes, as OpenSSH's files hold them.
 *
 * @param privateKey PEM of a SEC 1 key ({@code EC PRIVATE KEY}) on curve P-521
 * @param publicKey one line of an {@code authorized_keys} file, with its newline
 */
public record SshKeyPair(String privateKey, String publicKey) {

  /** Key of the private half in a Secret of type {@code kubernetes.io/ssh-auth}. */
  static final String PRIVATE_KEY = "ssh-privatekey";

  /** Key of the public half. */
  static final String PUBLIC_KEY = "ssh-publickey";

  /** A new pair. All its chance comes from the argument. */
  public static SshKeyPair generate(SecureRandom random) {
    ECKeyPairGenerator generator = new ECKeyPairGenerator();
    generator.init(
        new ECKeyGenerationParameters(
            new ECNamedDomainParameters(
                SECObjectIdentifiers.secp521r1,
                SECNamedCurves.getByOID(SECObjectIdentifiers.secp521r1)),
            random));
    AsymmetricCipherKeyPair pair = generator.generateKeyPair();
    try {
      byte[] blob = OpenSSHPublicKeyUtil.encodePublicKey(pair.getPublic());
      return new SshKeyPair(
          pem(sec1(pair.getPrivate())),
          "ecdsa-sha2-nistp521 " + Base64.getEncoder().encodeToString(blob) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("a key in memory can't be written", e);
    }
  }

  /** Says nothing of the private key. */
  @Override
  public String toString() {
    return "SshKeyPair[" + publicKey.strip() + "]";
  }

  private static byte[] sec1(AsymmetricKeyParameter key) throws IOException {
    return PrivateKeyInfoFactory.createPrivateKeyInfo(key)
        .parsePrivateKey()
        .toASN1Primitive()
        .getEncoded();
  }

  private static String pem(byte[] key) throws IOException {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject("EC PRIVATE KEY", key));
    }
    return text.toString();
  }
}
