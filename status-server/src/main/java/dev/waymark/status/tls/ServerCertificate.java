package dev.waymark.status.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The certificate that a TLS server shows, exchangeable while the server runs: the next full
 * handshake shows the new one, connections that are open stay open. Safe for use by all threads.
 */
public final class ServerCertificate extends X509ExtendedKeyManager {

  private volatile Generation current;

  /** Has nothing to show yet: handshakes fail until there is a first certificate. */
  public ServerCertificate() {}

  /** Starts with a first certificate. */
  public ServerCertificate(ServerIdentity first) {
    replace(first);
  }

  /** Shows another certificate from now on. */
  public synchronized void replace(ServerIdentity next) {
    Generation old = current;
    current =
        old == null
            ? new Generation(0, next, null)
            : new Generation(old.number + 1, next, old.withoutPrevious());
  }

  /** What new handshakes are shown; empty when there is nothing yet. */
  public Optional<ServerIdentity> current() {
    Generation generation = current;
    return generation == null ? Optional.empty() : Optional.of(generation.identity);
  }

  @Override
  public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
    Generation generation = current;
    // The JDK (17) asks for "EC" and "RSA" in turn, in TLS 1.2 as in 1.3.
    return generation != null && generation.identity.key().getAlgorithm().equals(keyType)
        ? generation.alias()
        : null;
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return chooseEngineServerAlias(keyType, issuers, null);
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    String alias = chooseEngineServerAlias(keyType, issuers, null);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    Generation generation = find(alias);
    return generation == null ? null : generation.identity.chain().toArray(new X509Certificate[0]);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    Generation generation = find(alias);
    return generation == null ? null : generation.identity.key();
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return null;
  }

  @Override
  public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
    return null;
  }

  private Generation find(String alias) {
    for (Generation g = current; g != null; g = g.previous) {
      if (g.alias().equals(alias)) {
        return g;
      }
    }
    return null;
  }

  /**
   * One certificate with its key. A handshake asks for an alias, then for the key and the chain in
   * separate calls: the alias names the generation, and the one before stays at hand, so that a
   * handshake during an exchange never mixes two.
   */
  private record Generation(int number, ServerIdentity identity, Generation previous) {

    String alias() {
      return "server-" + number;
    }

    Generation withoutPrevious() {
      return new Generation(number, identity, null);
    }
  }
}
