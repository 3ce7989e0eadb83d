package dev.waymark.controller.certificates;

import dev.waymark.status.tls.CertificateAuthority;
import dev.waymark.status.tls.Pem;
import dev.waymark.status.tls.ServerIdentity;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The certificates that a Secret holds, under the keys of Kubeflow Trainer. What is damaged, or
 * does not belong together, counts as absent.
 *
 * @param authorities what clients trust; the first one signs
 * @param signer the first one with its key; null when the key is absent or another one's
 * @param server null when there is none
 */
record StoredCertificates(
    List<X509Certificate> authorities, CertificateAuthority signer, ServerIdentity server) {

  static final String CA_CERTIFICATE = "ca.crt";
  static final String CA_KEY = "ca.key";
  static final String CERTIFICATE = "tls.crt";
  static final String KEY = "tls.key";

  static final StoredCertificates NONE = new StoredCertificates(List.of(), null, null);

  StoredCertificates {
    authorities = List.copyOf(authorities);
  }

  /** Reads what a Secret, or a folder, holds: PEM by key. */
  static StoredCertificates read(Map<String, String> pem) {
    List<X509Certificate> authorities = certificates(pem.get(CA_CERTIFICATE));
    CertificateAuthority signer =
        key(pem.get(CA_KEY))
            .filter(key -> !authorities.isEmpty() && belongs(key, authorities.get(0)))
            .map(key -> CertificateAuthority.of(key, authorities.get(0)))
            .orElse(null);
    List<X509Certificate> chain = certificates(pem.get(CERTIFICATE));
    ServerIdentity server =
        key(pem.get(KEY))
            .filter(key -> !chain.isEmpty() && belongs(key, chain.get(0)))
            .map(key -> new ServerIdentity(key, chain))
            .orElse(null);
    return new StoredCertificates(authorities, signer, server);
  }

  /** PEM by key. */
  Map<String, String> toPem() {
    Map<String, String> pem = new LinkedHashMap<>();
    pem.put(CA_CERTIFICATE, Pem.of(authorities));
    pem.put(CA_KEY, Pem.of(signer.key()));
    pem.put(CERTIFICATE, Pem.of(server.chain()));
    pem.put(KEY, Pem.of(server.key()));
    return pem;
  }

  /** The one of the authorities that signed the server's certificate. */
  Optional<X509Certificate> authorityOfServer() {
    return server == null
        ? Optional.empty()
        : authorities.stream().filter(authority -> signed(authority, server.leaf())).findFirst();
  }

  /** The same with other authorities; the first one is the signer's. */
  StoredCertificates with(CertificateAuthority newSigner, List<X509Certificate> others) {
    List<X509Certificate> all = new ArrayList<>();
    all.add(newSigner.certificate());
    all.addAll(others);
    return new StoredCertificates(all, newSigner, server);
  }

  StoredCertificates with(ServerIdentity newServer) {
    return new StoredCertificates(authorities, signer, newServer);
  }

  /** All but the one that signs. */
  List<X509Certificate> otherAuthorities() {
    return authorities.stream()
        .filter(authority -> signer == null || !authority.equals(signer.certificate()))
        .toList();
  }

  private static List<X509Certificate> certificates(String pem) {
    try {
      return pem == null ? List.of() : Pem.certificates(pem);
    } catch (GeneralSecurityException e) {
      return List.of();
    }
  }

  private static Optional<PrivateKey> key(String pem) {
    try {
      return pem == null ? Optional.empty() : Optional.of(Pem.key(pem));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private static boolean signed(X509Certificate authority, X509Certificate leaf) {
    try {
      leaf.verify(authority.getPublicKey());
      return leaf.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static boolean belongs(PrivateKey key, X509Certificate certificate) {
    PublicKey publicKey = certificate.getPublicKey();
    if (!publicKey.getAlgorithm().equals(key.getAlgorithm())) {
      return false;
    }
    if (key instanceof RSAKey secret && publicKey instanceof RSAKey open) {
      // A signature would say no more, and take a twentieth of a start.
      return secret.getModulus().equals(open.getModulus());
    }
    String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : key.getAlgorithm();
    byte[] probe = {1, 2, 3};
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(probe);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(probe);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
