package dev.waymark.status.http;

import dev.waymark.status.tls.CipherSuites;
import dev.waymark.status.tls.TrustlessTls;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS for servers that ask no client for a certificate: BoringSSL's where netty-tcnative is on the
 * class path and its library can be loaded, else the JDK's. With an RSA key a handshake of the
 * first compiler's code takes the JDK ten times as long (seen in 17: 10.5 against 1.1 ms).
 *
 * <p>Vert.x's own way to either reads all authorities that the JDK trusts, and Netty's tries out
 * whether it can read a key, with all of Bouncy Castle (seen in 4.5.24 and 4.1.130): together a
 * third of what a process does until its first connection.
 */
final class ServerTls extends JdkSSLEngineOptions {

  ServerTls() {}

  private ServerTls(ServerTls other) {
    super(other);
  }

  @Override
  public ServerTls copy() {
    return new ServerTls(this);
  }

  @Override
  public SslContextFactory sslContextFactory() {
    return new Factory();
  }

  private static final class Factory implements SslContextFactory {

    private KeyManagerFactory keys;
    private Set<String> suites = Set.of();

    /** Null while no connection has needed it. */
    private SslContext jdk;

    @Override
    public SslContextFactory keyMananagerFactory(KeyManagerFactory keys) {
      this.keys = keys;
      return this;
    }

    @Override
    public SslContextFactory enabledCipherSuites(Set<String> suites) {
      this.suites = suites;
      return this;
    }

    @Override
    public SslContext create() throws SSLException {
      try {
        // Nobody can tell BoringSSL which suites of TLS 1.3 it may use.
        return suites.isEmpty() && OpenSsl.isAvailable()
            ? new NativeTls(ofBoringSsl(), this::ofTheJdkWhereNeeded, keys)
            : ofTheJdk();
      } catch (GeneralSecurityException | IOException e) {
        throw new SSLException("no TLS for this certificate", e);
      }
    }

    private synchronized SslContext ofTheJdkWhereNeeded() {
      if (jdk == null) {
        try {
          jdk = ofTheJdk();
        } catch (GeneralSecurityException e) {
          throw new IllegalStateException("this JDK has no TLS for servers", e);
        }
      }
      return jdk;
    }

    private SslContext ofTheJdk() throws GeneralSecurityException {
      SSLContext context = TrustlessTls.context(keys.getKeyManagers());
      return JdkTls.of(
          context,
          /* isClient= */ false,
          suites.isEmpty()
              ? CipherSuites.inOrder(List.of(context.getDefaultSSLParameters().getCipherSuites()))
              : suites);
    }

    private SslContext ofBoringSsl() throws GeneralSecurityException, IOException {
      return SslContextBuilder.forServer(keys)
          .sslProvider(SslProvider.OPENSSL)
          .trustManager(nobody())
          .build();
    }

    /** Trusts nobody; without it, all authorities that the JDK trusts would be read. */
    private static TrustManagerFactory nobody() throws GeneralSecurityException, IOException {
      KeyStore empty = KeyStore.getInstance(KeyStore.getDefaultType());
      empty.load(null, null);
      TrustManagerFactory nobody =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      nobody.init(empty);
      return nobody;
    }
  }
}
