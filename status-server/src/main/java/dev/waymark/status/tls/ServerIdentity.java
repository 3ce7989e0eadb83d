package dev.waymark.status.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a TLS server shows.
 *
 * @param key the leaf's private key, never null
 * @param chain the leaf first, then its issuers; at least the leaf
 */
public record ServerIdentity(PrivateKey key, List<X509Certificate> chain) {

  public ServerIdentity {
    chain = List.copyOf(chain);
    if (key == null || chain.isEmpty()) {
      throw new IllegalArgumentException("a server certificate needs a key and a chain");
    }
  }

  /** The server's own certificate. */
  public X509Certificate leaf() {
    return chain.get(0);
  }
}
