package dev.waymark.controller.kubernetes;

import dev.waymark.status.tls.CipherSuites;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.vertx.core.Vertx;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import io.vertx.ext.web.client.WebClientOptions;
import java.util.List;
import javax.net.ssl.SSLEngine;

/** fabric8's HTTP client on Vert.x, whose TLS offers the cipher suite first that is cheap here. */
final class ApiServerHttp extends VertxHttpClientFactory {

  ApiServerHttp(Vertx vertx) {
    super(vertx);
  }

  @Override
  protected void additionalConfig(WebClientOptions options) {
    SSLEngineOptions theirs = options.getSslEngineOptions();
    if (theirs != null) {
      options.setSslEngineOptions(new Ordered(theirs));
    }
  }

  /** What they are, with the suites in their order. */
  private static final class Ordered extends JdkSSLEngineOptions {

    private final SSLEngineOptions theirs;

    Ordered(SSLEngineOptions theirs) {
      this.theirs = theirs;
    }

    @Override
    public Ordered copy() {
      return new Ordered(theirs.copy());
    }

    @Override
    public SslContextFactory sslContextFactory() {
      SslContextFactory factory = theirs.sslContextFactory();
      return () -> ordered(factory.create());
    }

    private static SslContext ordered(SslContext context) {
      return new DelegatingSslContext(context) {
        @Override
        protected void initEngine(SSLEngine engine) {
          List<String> suites =
              CipherSuites.inOrder(
                  List.of(engine.getEnabledCipherSuites()),
                  List.of(engine.getSupportedCipherSuites()));
          engine.setEnabledCipherSuites(suites.toArray(String[]::new));
        }
      };
    }
  }
}
