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
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * An HTTP/1.1 server, over TLS where it has a certificate, on one event loop or several, which
 * nobody who sends half a request, or sends it slowly, can hold up.
 */
public final class WebServer implements AutoCloseable {

  /** All headers together; a service account's token has 1 to 2 KiB. */
  private static final int MAX_HEADERS = 32 * 1024;

  private static final int MAX_REQUEST_LINE = 8 * 1024;
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(5);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /**
   * What happens on one event loop. Vert.x spreads the connections of a port over all servers that
   * listen on it.
   */
  private record Share(Context eventLoop, HttpServer server, Connections connections) {}

  private final Vertx vertx;
  private final List<Share> shares;
  private final InetAddress address;
  private final boolean secure;

  private WebServer(Builder builder, InetAddress address) {
    this.address = address;
    secure = builder.certificate != null;
    vertx = builder.vertx;
    List<Context> eventLoops = EventLoops.of(vertx, builder.eventLoops);
    Connections.Limits limits = builder.limits(eventLoops.size());
    shares = eventLoops.stream().map(eventLoop -> share(builder, limits, eventLoop)).toList();
  }

  private static Share share(Builder builder, Connections.Limits limits, Context eventLoop) {
    Connections connections = new Connections(builder.vertx, limits);
    HttpServer server = builder.vertx.createHttpServer(options(builder));
    server.connectionHandler(connections::opened);
    server.requestHandler(new Exchanges(builder.answerer, builder.maxBody, connections, eventLoop));
    return new Share(eventLoop, server, connections);
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
    return shares.get(0).server().actualPort();
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
                .setSslEngineOptions(ClientTls.TRUSTING_ALL)
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
    CompletableFuture.allOf(shares.stream().map(this::close).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  private CompletableFuture<Void> close(Share share) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    try {
      share.eventLoop().runOnContext(nothing -> drain(share).onComplete(it -> over.complete(null)));
    } catch (RejectedExecutionException e) {
      // Vertx has been closed, and the server with it.
      over.complete(null);
    }
    return over;
  }

  private Future<Void> drain(Share share) {
    Promise<Void> drained = Promise.promise();
    long grace = vertx.setTimer(CLOSE_GRACE.toMillis(), id -> drained.tryComplete());
    share.connections().drain().onComplete(nothing -> drained.tryComplete());
    return drained
        .future()
        .compose(
            nothing -> {
              vertx.cancelTimer(grace);
              return share.server().close();
            });
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

    /**
     * To Vert.x, a number below 0 is any port that is free, which those who say the same number
     * share; with 0 each has one of its own (seen with 4.5.24).
     */
    private static final AtomicInteger ANY_PORT = new AtomicInteger();

    private final Vertx vertx;
    private final RequestAnswerer answerer;
    private X509ExtendedKeyManager certificate;
    private Set<String> protocols = Set.of("TLSv1.2", "TLSv1.3");
    private List<String> cipherSuites = List.of();
    private String host = "0.0.0.0";
    private int port;
    private int maxBody = DEFAULT_BODY;
    private int maxConnections = DEFAULT_CONNECTIONS;
    private int eventLoops = 1;
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
     * On how many event loops connections are served, 1 by default; no more than the Vertx has.
     * Each serves an equal share of the connections. The answerer is called on all of them.
     */
    public Builder eventLoops(int most) {
      if (most < 1) {
        throw new IllegalArgumentException("eventLoops must be at least 1, not " + most);
      }
      eventLoops = most;
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
      boolean isShared = started.shares.size() > 1;
      int sharedPort = port == 0 && isShared ? -ANY_PORT.incrementAndGet() : port;
      try {
        for (Share share : started.shares) {
          listen(share, sharedPort, started.address).join();
        }
      } catch (CompletionException e) {
        throw new IOException(
            "can't listen on " + host + ":" + port + ": " + e.getCause().getMessage(),
            e.getCause());
      }
      return started;
    }

    private static CompletableFuture<HttpServer> listen(
        Share share, int port, InetAddress address) {
      CompletableFuture<HttpServer> listening = new CompletableFuture<>();
      share
          .eventLoop()
          .runOnContext(
              nothing ->
                  // What listen() throws at once is a failure too, or nobody would hear of it.
                  Future.succeededFuture()
                      .compose(now -> share.server().listen(port, address.getHostAddress()))
                      .onSuccess(listening::complete)
                      .onFailure(listening::completeExceptionally));
      return listening;
    }

    private Connections.Limits limits(int shares) {
      int connections = (maxConnections + shares - 1) / shares;
      return new Connections.Limits(connections, requestTimeout, ANSWER_TIMEOUT, idleTimeout);
    }

    private static Duration positive(Duration timeout, String name) {
      if (timeout.isNegative() || timeout.isZero()) {
        throw new IllegalArgumentException(name + " must be positive, not " + timeout);
      }
      return timeout;
    }
  }
}
