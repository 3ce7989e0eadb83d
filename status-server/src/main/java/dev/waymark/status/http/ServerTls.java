package dev.waymark.status.http;

import dev.waymark.status.tls.CipherSuites;
import dev.waymark.status.tls.TrustlessTls;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * The JDK's TLS for servers that ask no client for a certificate. Vert.x's own way to it reads all
 * authorities that the JDK trusts, and Netty's tries out whether it can read a key, with all of
 * Bouncy Castle (seen in 4.5.24 and 4.1.130): together a third of what a process does until its
 * first connection.
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
        SSLContext context = TrustlessTls.context(keys.getKeyManagers());
        return new JdkSslContext(
            context,
            /* isClient= */ false,
            suites.isEmpty()
                ? CipherSuites.inOrder(List.of(context.getDefaultSSLParameters().getCipherSuites()))
                : suites,
            IdentityCipherSuiteFilter.INSTANCE,
            ApplicationProtocolConfig.DISABLED,
            ClientAuth.NONE,
            /* protocols= */ null,
            /* startTls= */ false);
      } catch (GeneralSecurityException e) {
        throw new SSLException("no TLS for this certificate", e);
      }
    }
  }
}
