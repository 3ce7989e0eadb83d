package dev.waymark.status.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * TLS by BoringSSL, decided anew for each connection, since the certificate may be exchanged: where
 * the key to show is of a kind that only the JDK can use with Netty (Ed25519), and where there is
 * none yet, the JDK serves.
 */
final class NativeTls extends SslContext {

  /** Kinds of keys, as the JDK calls them. */
  private static final List<String> KINDS = List.of("RSA", "EC");

  private final SslContext boringSsl;
  private final Supplier<SslContext> jdk;
  private final X509ExtendedKeyManager keys;

  /**
   * Decides between two.
   *
   * @param jdk made when it is needed
   * @param keys of both; the first of them counts
   */
  NativeTls(SslContext boringSsl, Supplier<SslContext> jdk, KeyManagerFactory keys) {
    this.boringSsl = boringSsl;
    this.jdk = jdk;
    this.keys = (X509ExtendedKeyManager) keys.getKeyManagers()[0];
  }

  private SslContext forNextConnection() {
    boolean isKnown =
        KINDS.stream().anyMatch(kind -> keys.chooseEngineServerAlias(kind, null, null) != null);
    return isKnown ? boringSsl : jdk.get();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return forNextConnection().newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
    return forNextConnection().newEngine(allocator, peerHost, peerPort);
  }

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public List<String> cipherSuites() {
    return boringSsl.cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // Netty's own type, which it wants to be seen no more
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return boringSsl.applicationProtocolNegotiator();
  }

  @Override
  public SSLSessionContext sessionContext() {
    return boringSsl.sessionContext();
  }
}
