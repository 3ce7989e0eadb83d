package dev.waymark.controller;

import java.security.GeneralSecurityException;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** What the JDK's TLS can do. */
final class SupportedTls {

  static Set<String> cipherSuites() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      // The default context would read all authorities that the JDK trusts.
      context.init(null, new TrustManager[0], null);
      return Set.of(context.getSupportedSSLParameters().getCipherSuites());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }

  private SupportedTls() {}
}
