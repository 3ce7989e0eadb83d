package dev.waymark.cli.run;

import dev.waymark.status.StatusServer;
import dev.waymark.status.StatusSink;
import dev.waymark.status.TokenVerifier;
import dev.waymark.status.TrainJobKey;
import dev.waymark.status.http.WebServer;
import dev.waymark.status.tls.CertificateAuthority;
import dev.waymark.status.tls.Pem;
import dev.waymark.status.tls.ServerCertificate;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * The status endpoint of one TrainJob on loopback, with the files and variables by which a pod
 * finds it. The token is renewed while the endpoint is open. The key of its certificate authority
 * never leaves the memory and goes with the run, so nobody can use it to speak for anything else.
 */
final class Endpoint implements AutoCloseable {

  private static final String LOOPBACK = "127.0.0.1";
  private static final List<String> HOSTS = List.of("localhost", LOOPBACK, "::1");

  /** Longer than a training takes. */
  private static final Duration VALIDITY = Duration.ofDays(365);

  private final TrainJobKey trainJob;
  private final TokenIssuer tokens;
  private final CredentialFolder files;
  private final WebServer server;
  private final ScheduledExecutorService renewal =
      Executors.newSingleThreadScheduledExecutor(Endpoint::daemon);

  private Endpoint(
      TrainJobKey trainJob, TokenIssuer tokens, CredentialFolder files, WebServer server) {
    this.trainJob = trainJob;
    this.tokens = tokens;
    this.files = files;
    this.server = server;
  }

  /**
   * Opens an endpoint.
   *
   * @param sink takes what was reported
   * @param refusals is told why a token was refused
   * @param warnings takes sentences for the user
   * @throws IOException if port or files can't be had
   */
  static Endpoint open(
      Vertx vertx,
      TrainJobKey trainJob,
      Duration tokenLifetime,
      StatusSink sink,
      Consumer<String> refusals,
      Consumer<String> warnings)
      throws IOException {
    Clock clock = Clock.systemUTC();
    Instant now = clock.instant();
    CertificateAuthority authority = CertificateAuthority.create("CN=waymark run", VALIDITY, now);
    TokenIssuer tokens = new TokenIssuer(trainJob, tokenLifetime, clock);
    WebServer server =
        StatusServer.builder(
                vertx,
                new ServerCertificate(authority.issue(HOSTS, VALIDITY, now)),
                telling(refusals, tokens.verifier()),
                sink)
            .host(LOOPBACK)
            .port(0)
            .start();
    CredentialFolder files;
    try {
      files = CredentialFolder.create(Pem.of(List.of(authority.certificate())), tokens.issue());
    } catch (IOException e) {
      server.close();
      throw e;
    }
    Endpoint endpoint = new Endpoint(trainJob, tokens, files, server);
    endpoint.warmUp();
    new TokenRenewal(tokens, files, clock, warnings).schedule(endpoint.renewal);
    return endpoint;
  }

  /** The three variables that Kubeflow Trainer puts into a trainer's containers. */
  Map<String, String> variables() {
    return Map.of(
        "KUBEFLOW_TRAINER_SERVER_URL",
        "https://" + LOOPBACK + ":" + server.port() + trainJob.statusPath(),
        "KUBEFLOW_TRAINER_SERVER_CA_CERT",
        files.caCertificate().toString(),
        "KUBEFLOW_TRAINER_SERVER_TOKEN",
        files.token().toString());
  }

  @Override
  public void close() {
    renewal.shutdownNow();
    server.close();
    files.close();
  }

  /**
   * Loads what a first report needs, while the program starts: on a busy machine those classes
   * otherwise take longer than a reporter waits for its answer.
   */
  private void warmUp() {
    renewal.execute(
        () -> {
          server.probe();
          tokens.verifier().verify(tokens.issue(), trainJob.audience(), trainJob.namespace());
        });
  }

  private static TokenVerifier telling(Consumer<String> refusals, TokenVerifier verifier) {
    return (token, audience, namespace) ->
        verifier
            .verify(token, audience, namespace)
            .whenComplete(
                (verdict, failure) -> {
                  if (verdict instanceof TokenVerifier.Verdict.Refused refused) {
                    refusals.accept("its token is not good: " + refused.reason());
                  }
                });
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "waymark-token-renewal");
    thread.setDaemon(true);
    return thread;
  }
}
