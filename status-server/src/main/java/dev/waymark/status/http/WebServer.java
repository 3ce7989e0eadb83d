package dev.waymark.status.http;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * An HTTP/1.1 server, over TLS where it has a certificate, on one event loop, which nobody who
 * sends half a request, or sends it slowly, can hold up.
 */
public final class WebServer implements AutoCloseable {

  /** All headers together; a service account's token has 1 to 2 KiB. */
  private static final int MAX_HEADERS = 32 * 1024;

  private static final int MAX_REQUEST_LINE = 8 * 1024;
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(5);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final Context eventLoop;
  private final HttpServer server;
  private final InetAddress address;
  private final boolean secure;
  private final Connections connections;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private WebServer(Builder builder, InetAddress address) {
    this.address = address;
    secure = builder.certificate != null;
    vertx = builder.vertx;
    eventLoop = vertx.getOrCreateContext();
    connections = new Connections(vertx, builder.limits());
    server = vertx.createHttpServer(options(builder));
    server.connectionHandler(connections::opened);
    server.requestHandler(new Exchanges(builder.answerer, builder.maxBody, connections, eventLoop));
  }

  private static HttpServerOptions options(Builder builder) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setMaxInitialLineLength(MAX_REQUEST_LINE)
            .setMaxHeaderSize(MAX_HEADERS);
    if (builder.certificate == null) {
      return options;
    }
    builder.cipherSuites.forEach(options::addEnabledCipherSuite);
    return options
        .setSsl(true)
        .setSslEngineOptions(new ServerTls())
        .setUseAlpn(false)
        .setEnabledSecureTransportProtocols(builder.protocols)
        .setKeyCertOptions(KeyCertOptions.wrap(builder.certificate))
        .setSslHandshakeTimeout(builder.requestTimeout.toMillis())
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
  }

  /**
   * Starts to describe a server.
   *
   * @param vertx runs the server; stays open when the server closes
   */
  public static Builder builder(Vertx vertx, RequestAnswerer answerer) {
    return new Builder(vertx, answerer);
  }

  /** The port that it listens on. */
  public int port() {
    return server.actualPort();
  }

  /**
   * Tells whether the server serves, by a connection to it, with its TLS handshake.
   *
   * @return completes when it is through; fails with the reason when it isn't within 10 s
   */
  public CompletionStage<Void> probe() {
    NetClient client =
        vertx.createNetClient(
            new NetClientOptions()
                .setSsl(secure)
                // It asks whether we serve, not who we are.
                .setTrustAll(true)
                .setHostnameVerificationAlgorithm("")
                .setConnectTimeout((int) PROBE_TIMEOUT.toMillis())
                .setSslHandshakeTimeout(PROBE_TIMEOUT.toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS));
    InetAddress target = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
    return client
        .connect(port(), target.getHostAddress())
        .onComplete(connected -> client.close())
        .<Void>mapEmpty()
        .toCompletionStage();
  }

  /**
   * Lets no more connections in, lets requests that are in flight end for at most 5 s, and closes.
   * Waits for it, so it must not be called on a thread of Vert.x. Does nothing the second time.
   */
  @Override
  public void close() {
    refuseVertxThread("close()");
    try {
      eventLoop.runOnContext(nothing -> shutdown());
    } catch (RejectedExecutionException e) {
      // Vertx has been closed, and the server with it.
      closed.complete(null);
    }
    closed.completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  private void shutdown() {
    Promise<Void> over = Promise.promise();
    long grace = vertx.setTimer(CLOSE_GRACE.toMillis(), id -> over.tryComplete());
    connections.drain().onComplete(drained -> over.tryComplete());
    over.future()
        .compose(
            nothing -> {
              vertx.cancelTimer(grace);
              return server.close();
            })
        .onComplete(nothing -> closed.complete(null));
  }

  private static void refuseVertxThread(String what) {
    if (Context.isOnVertxThread()) {
      throw new IllegalStateException(what + " waits, so a thread of Vert.x must not call it");
    }
  }

  /** Settings of a server; those not set have the defaults named at their method. */
  public static final class Builder {

    private static final int DEFAULT_CONNECTIONS = 4096;
    private static final int DEFAULT_BODY = 64 * 1024;
    private static final int MAX_PORT = 65_535;
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final RequestAnswerer answerer;
    private X509ExtendedKeyManager certificate;
    private Set<String> protocols = Set.of("TLSv1.2", "TLSv1.3");
    private List<String> cipherSuites = List.of();
    private String host = "0.0.0.0";
    private int port;
    private int maxBody = DEFAULT_BODY;
    private int maxConnections = DEFAULT_CONNECTIONS;
    private Duration requestTimeout = Duration.ofSeconds(10);
    private Duration idleTimeout = Duration.ofMinutes(2);

    private Builder(Vertx vertx, RequestAnswerer answerer) {
      this.vertx = requireNonNull(vertx, "vertx");
      this.answerer = requireNonNull(answerer, "answerer");
    }

    /**
     * What the server shows, usually a {@link dev.waymark.status.tls.ServerCertificate}; without
     * it, the server speaks plain HTTP.
     */
    public Builder certificate(X509ExtendedKeyManager certificate) {
      this.certificate = requireNonNull(certificate, "certificate");
      return this;
    }

    /**
     * Versions of TLS and cipher suites by the JDK's names; 1.2 and 1.3, and the JDK's suites, by
     * default.
     *
     * @param protocols at least one
     * @param cipherSuites empty: the JDK's
     */
    public Builder tls(Set<String> protocols, List<String> cipherSuites) {
      this.protocols = Set.copyOf(protocols);
      this.cipherSuites = List.copyOf(cipherSuites);
      return this;
    }

    /** Name or address to listen on; all addresses by default. */
    public Builder host(String host) {
      this.host = requireNonNull(host, "host");
      return this;
    }

    /** Port to listen on, up to 65535; by default 0, for any that is free. */
    public Builder port(int port) {
      if (port < 0 || port > MAX_PORT) {
        throw new IllegalArgumentException("port must be from 0 to " + MAX_PORT + ", not " + port);
      }
      this.port = port;
      return this;
    }

    /** Most bytes of a body that are read, 64 KiB by default; what comes beyond is thrown away. */
    public Builder maxBody(int most) {
      maxBody = most;
      return this;
    }

    /**
     * Most connections at a time, at least 1; 4096 by default. For one more, the one whose client
     * has kept us waiting for longest is closed. They count from their TLS handshake on, which has
     * the request's time.
     */
    public Builder maxConnections(int most) {
      if (most < 1) {
        throw new IllegalArgumentException("maxConnections must be at least 1, not " + most);
      }
      maxConnections = most;
      return this;
    }

    /**
     * Time for a TLS handshake, and then for a request from the handshake (a later one: from its
     * head) to its last byte; 10 s by default.
     */
    public Builder requestTimeout(Duration timeout) {
      requestTimeout = positive(timeout, "requestTimeout");
      return this;
    }

    /** Time from an answer to the whole head of the next request; 2 minutes by default. */
    public Builder idleTimeout(Duration timeout) {
      idleTimeout = positive(timeout, "idleTimeout");
      return this;
    }

    /**
     * Listens. Waits for it, so it must not be called on a thread of Vert.x.
     *
     * @throws IOException when the address isn't known or can't be bound
     */
    public WebServer start() throws IOException {
      refuseVertxThread("start()");
      WebServer started = new WebServer(this, InetAddress.getByName(host));
      CompletableFuture<HttpServer> listening = new CompletableFuture<>();
      started.eventLoop.runOnContext(
          nothing ->
              // What listen() throws at once is a failure too, or nobody would hear of it.
              Future.succeededFuture()
                  .compose(now -> started.server.listen(port, started.address.getHostAddress()))
                  .onSuccess(listening::complete)
                  .onFailure(listening::completeExceptionally));
      try {
        listening.join();
      } catch (CompletionException e) {
        throw new IOException(
            "can't listen on " + host + ":" + port + ": " + e.getCause().getMessage(),
            e.getCause());
      }
      return started;
    }

    private Connections.Limits limits() {
      return new Connections.Limits(maxConnections, requestTimeout, ANSWER_TIMEOUT, idleTimeout);
    }

    private static Duration positive(Duration timeout, String name) {
      if (timeout.isNegative() || timeout.isZero()) {
        throw new IllegalArgumentException(name + " must be positive, not " + timeout);
      }
      return timeout;
    }
  }
}
