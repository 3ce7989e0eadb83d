package dev.waymark.status.tls;

import java.security.GeneralSecurityException;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * The JDK's TLS for who asks the other side for no certificate: without the authorities that the
 * JDK trusts, which take long to read.
 */
public final class TrustlessTls {

  /**
   * What makes its connections.
   *
   * @param keys know what it shows of itself; none for who makes no connections
   * @throws GeneralSecurityException if the JDK can't do TLS with these keys
   */
  public static SSLContext context(KeyManager... keys) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    // None, and not null, which stands for all authorities that the JDK trusts.
    context.init(keys, new TrustManager[0], null);
    return context;
  }

  /** The names of all cipher suites that the JDK has. */
  public static Set<String> cipherSuites() {
    try {
      return Set.of(context().getSupportedSSLParameters().getCipherSuites());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }

  private TrustlessTls() {}
}
