package dev.waymark.controller.kubernetes;

import dev.waymark.status.http.ClientTls;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.core.Vertx;
import io.vertx.ext.web.client.WebClientOptions;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/** fabric8's HTTP client on Vert.x, of one API server, with a TLS that is cheap at the start. */
final class ApiServerHttp extends VertxHttpClientFactory {

  private static final String TRUSTED_BY_THE_JDK = "javax.net.ssl.trustStore";

  private final Vertx vertx;

  /** Null until it is known whom to trust. */
  private ClientTls tls;

  ApiServerHttp(Vertx vertx) {
    super(vertx);
    this.vertx = vertx;
  }

  /**
   * Where the cluster's own authority is told, it alone is trusted, as with Go's clients. fabric8
   * would add all that the JDK trusts, and to read them takes a tenth of a start; it has no other
   * switch for it than the JDK's property (7.6.1).
   */
  @Override
  public HttpClient.Builder newBuilder(Config config) {
    boolean isAuthorityTold =
        Stream.of(config.getCaCertData(), config.getCaCertFile())
            .anyMatch(it -> it != null && !it.isEmpty());
    if (!isAuthorityTold || System.getProperty(TRUSTED_BY_THE_JDK) != null) {
      return super.newBuilder(config);
    }
    System.setProperty(TRUSTED_BY_THE_JDK, "NONE");
    try {
      return super.newBuilder(config);
    } finally {
      System.clearProperty(TRUSTED_BY_THE_JDK);
    }
  }

  @Override
  public VertxHttpClientBuilder<VertxHttpClientFactory> newBuilder() {
    return new Builder();
  }

  @Override
  protected void additionalConfig(WebClientOptions options) {
    if (tls != null) {
      options.setSsl(true).setSslEngineOptions(tls);
    }
  }

  private final class Builder extends VertxHttpClientBuilder<VertxHttpClientFactory> {

    Builder() {
      super(ApiServerHttp.this, vertx);
    }

    /** Without the JDK's TLS, which would be made ready in vain. */
    @Override
    public VertxHttpClientBuilder<VertxHttpClientFactory> sslContext(
        KeyManager[] keys, TrustManager[] trusted) {
      tls = new ClientTls(keys, trusted);
      return this;
    }
  }
}
