package dev.waymark.status.http;

import dev.waymark.status.tls.CipherSuites;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of clients: BoringSSL's where netty-tcnative is on the class path and its library can be
 * loaded, else the JDK's; the JDK's, too, where the client shows a certificate, whose key may be of
 * a kind that only the JDK can use with Netty. Handshakes of classes that have just been loaded
 * take the JDK a good part of a second of CPU (seen in 17).
 *
 * <p>Who it trusts, and which host, is decided in Java in either case. Immutable, safe for every
 * thread.
 */
public final class ClientTls extends JdkSSLEngineOptions {

  private static final Logger log = LoggerFactory.getLogger(ClientTls.class);

  /** Trusts every server: for who asks whether it serves, not who it is. */
  static final ClientTls TRUSTING_ALL =
      new ClientTls(new KeyManager[0], InsecureTrustManagerFactory.INSTANCE.getTrustManagers());

  private final KeyManager[] keys;
  private final TrustManager[] trusted;

  /** Made for the first connection, and kept, since it lies outside of the heap. */
  private SslContext context;

  /**
   * TLS of a client.
   *
   * @param keys know what it shows of itself; null or empty: nothing
   * @param trusted decide about the servers; the first one of certificates counts
   */
  public ClientTls(KeyManager[] keys, TrustManager[] trusted) {
    this.keys = keys == null ? new KeyManager[0] : keys.clone();
    this.trusted = trusted.clone();
  }

  /**
   * Does what the first connection would otherwise have to wait for: loads BoringSSL, and has the
   * JDK read the authorities that are its own, by which it knows names that only a cluster has (it
   * does so for every trust, in a class that nobody else can reach; seen in 17). May be called any
   * number of times, on any thread.
   */
  public static void prepare() {
    boolean isThere = OpenSsl.isAvailable();
    log.debug("BoringSSL is {}", isThere ? "there" : "not there");
    try {
      Class.forName("sun.security.util.AnchorCertificates");
    } catch (ClassNotFoundException e) {
      log.debug("This JDK has nothing to prepare", e);
    }
  }

  @Override
  public ClientTls copy() {
    return this;
  }

  @Override
  public SslContextFactory sslContextFactory() {
    return this::context;
  }

  private synchronized SslContext context() throws SSLException {
    if (context == null) {
      context = keys.length == 0 && OpenSsl.isAvailable() ? ofBoringSsl() : ofTheJdk();
    }
    return context;
  }

  private SslContext ofBoringSsl() throws SSLException {
    return SslContextBuilder.forClient()
        .sslProvider(SslProvider.OPENSSL)
        .trustManager(trusted[0])
        .build();
  }

  private SslContext ofTheJdk() throws SSLException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trusted, null);
      SSLParameters enabled = context.getDefaultSSLParameters();
      SSLParameters supported = context.getSupportedSSLParameters();
      return JdkTls.of(
          context,
          /* isClient= */ true,
          CipherSuites.inOrder(
              List.of(enabled.getCipherSuites()), List.of(supported.getCipherSuites())));
    } catch (GeneralSecurityException e) {
      throw new SSLException("this JDK has no TLS for clients", e);
    }
  }
}
