package dev.waymark.status;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import dev.waymark.status.InMemoryStatusSink.Report;
import dev.waymark.status.http.WebServer;
import dev.waymark.status.tls.ServerCertificate;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/** A status server on a free port of this machine, with a certificate, an issuer and a TrainJob. */
final class TestServer implements AutoCloseable {

  static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");
  static final String BODY =
      "{\"trainerStatus\":{\"progressPercentage\":42,\"lastUpdatedTime\":\"2026-01-02T03:04:05Z\"}}";

  final TestAuthority authority = new TestAuthority();
  final TestTokens tokens = new TestTokens();
  final List<Report> reports = new CopyOnWriteArrayList<>();
  final ServerCertificate certificate;
  final WebServer server;
  private final SSLContext clientContext = authority.clientContext();
  private final Vertx vertx = Vertx.vertx();

  TestServer() throws Exception {
    this(UnaryOperator.identity());
  }

  TestServer(UnaryOperator<WebServer.Builder> settings) throws Exception {
    this(null, settings);
  }

  /** Null for a sink that knows {@link #DEMO} and adds what it accepts to {@link #reports}. */
  TestServer(StatusSink sink, UnaryOperator<WebServer.Builder> settings) throws Exception {
    certificate = new ServerCertificate(authority.issue("first"));
    SignedTokenVerifier verifier =
        SignedTokenVerifier.builder(TestTokens.ISSUER, tokens.keys(), Set.of(JWSAlgorithm.ES256))
            .executor(ForkJoinPool.commonPool())
            .build();
    StatusSink used =
        sink != null ? sink : new InMemoryStatusSink(Set.of(DEMO), Clock.systemUTC(), reports::add);
    server =
        settings
            .apply(
                StatusServer.builder(vertx, certificate, verifier, used).host("127.0.0.1").port(0))
            .start();
  }

  TlsClient connect() throws IOException {
    return new TlsClient(clientContext, server.port());
  }

  /** A client that has never seen this server, so it can't resume a session. */
  TlsClient connectAsStranger(String... protocols) throws Exception {
    return new TlsClient(authority.clientContext(), server.port(), protocols);
  }

  /** Head of a request with a good token; the body is to follow. */
  String head(long contentLength) throws JOSEException {
    return head("Content-Length: " + contentLength);
  }

  String head(String header) throws JOSEException {
    return "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s\r\n\r\n"
        .formatted(DEMO.statusPath(), tokens.token(DEMO), header);
  }

  String goodRequest() throws JOSEException {
    return request(BODY);
  }

  String request(String body) throws JOSEException {
    return head(body.length()) + body;
  }

  Vertx vertx() {
    return vertx;
  }

  SSLContext clientContext() {
    return clientContext;
  }

  @Override
  public void close() {
    server.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
