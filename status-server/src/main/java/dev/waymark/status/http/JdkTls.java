package dev.waymark.status.http;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import javax.net.ssl.SSLContext;

/** The JDK's TLS as Netty has it, without what Netty tries out before it makes one itself. */
final class JdkTls {

  /** Offers these suites in their order, and asks nobody for a certificate. */
  static SslContext of(SSLContext context, boolean isClient, Iterable<String> suites) {
    return new JdkSslContext(
        context,
        isClient,
        suites,
        IdentityCipherSuiteFilter.INSTANCE,
        ApplicationProtocolConfig.DISABLED,
        ClientAuth.NONE,
        /* protocols= */ null,
        /* startTls= */ false);
  }

  private JdkTls() {}
}
