package dev.waymark.controller;

import java.security.NoSuchAlgorithmException;
import java.util.Set;
import javax.net.ssl.SSLContext;

/** What the JDK's TLS can do. */
final class SupportedTls {

  static Set<String> cipherSuites() {
    try {
      return Set.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }

  private SupportedTls() {}
}
