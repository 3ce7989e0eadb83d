package dev.waymark.status;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import javax.net.ssl.X509ExtendedKeyManager;

/** The HTTPS endpoint that takes TrainJobs' status, with the answers of Kubeflow Trainer 2.3. */
public final class StatusServer implements AutoCloseable {

  private final HttpServer server;

  private StatusServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts a server.
   *
   * @param vertx runs the server; stays open when the server closes
   * @param certificate what the server shows, usually a {@link ServerCertificate}
   * @param verifier decides who may report
   * @param sink takes what was reported
   */
  public static Builder builder(
      Vertx vertx, X509ExtendedKeyManager certificate, TokenVerifier verifier, StatusSink sink) {
    return new Builder(vertx, certificate, verifier, sink);
  }

  /** The port that it listens on. */
  public int port() {
    return server.actualPort();
  }

  /**
   * Tells whether the server serves: makes a TLS connection to it.
   *
   * @return completes when the handshake is through; fails with the reason when it isn't within 10
   *     s
   */
  public CompletionStage<Void> probe() {
    throw new UnsupportedOperationException();
  }

  /**
   * Stops listening, lets requests that are in flight end for at most 5 s, and closes all
   * connections. Waits for it, so it must not be called on an event loop.
   */
  @Override
  public void close() {
    server.close().toCompletionStage().toCompletableFuture().join();
  }

  /** Settings of a server; those not set have the defaults named at their method. */
  public static final class Builder {

    private static final int DEFAULT_PORT = 10443;

    private final Vertx vertx;
    private final X509ExtendedKeyManager certificate;
    private String host = "0.0.0.0";
    private int port = DEFAULT_PORT;

    private Builder(
        Vertx vertx, X509ExtendedKeyManager certificate, TokenVerifier verifier, StatusSink sink) {
      this.vertx = requireNonNull(vertx, "vertx");
      this.certificate = requireNonNull(certificate, "certificate");
      requireNonNull(verifier, "verifier");
      requireNonNull(sink, "sink");
    }

    /** Address to listen on; all of them by default. */
    public Builder host(String host) {
      this.host = requireNonNull(host, "host");
      return this;
    }

    /** Port to listen on; 10443 by default, 0 for any that is free. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /**
     * Listens. Waits for it, so it must not be called on an event loop.
     *
     * @throws IOException when the address can't be bound
     */
    public StatusServer start() throws IOException {
      HttpServer server =
          vertx.createHttpServer(
              new HttpServerOptions()
                  .setSsl(true)
                  .setKeyCertOptions(KeyCertOptions.wrap(certificate)));
      server.requestHandler(request -> request.response().setStatusCode(404).end());
      server.listen(port, host).toCompletionStage().toCompletableFuture().join();
      return new StatusServer(server);
    }
  }
}
