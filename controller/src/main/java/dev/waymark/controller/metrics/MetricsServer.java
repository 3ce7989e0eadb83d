package dev.waymark.controller.metrics;

import dev.waymark.controller.Component;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.kubernetes.ApiServer;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.KeyCertOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@code /metrics}: in the clear or over TLS, to anybody or to whom the API server lets. */
public final class MetricsServer implements Component {

  private static final Logger log = LoggerFactory.getLogger(MetricsServer.class);

  private static final String PATH = "/metrics";
  private static final int START_LIMIT_SECONDS = 10;
  private static final int IDLE_SECONDS = 60;

  private final Vertx vertx;
  private final ControllerConfiguration configuration;
  private final ControllerConfiguration.Listen listen;
  private final X509ExtendedKeyManager certificate;
  private final PrometheusRegistry registry;
  private final MetricsReaders readers;
  private final ExpositionFormats formats = ExpositionFormats.init();
  private volatile HttpServer server;

  /** Makes a server that doesn't listen yet. */
  public MetricsServer(
      Vertx vertx,
      ControllerConfiguration configuration,
      ControllerConfiguration.Listen listen,
      X509ExtendedKeyManager certificate,
      PrometheusRegistry registry,
      ApiServer apiServer) {
    this.vertx = vertx;
    this.configuration = configuration;
    this.listen = listen;
    this.certificate = certificate;
    this.registry = registry;
    this.readers = new MetricsReaders(apiServer, PATH);
  }

  @Override
  public String name() {
    return "metrics";
  }

  @Override
  public void start() throws IOException, InterruptedException {
    HttpServer started = vertx.createHttpServer(options()).requestHandler(this::answer);
    try {
      started
          .listen(listen.port(), listen.host())
          .toCompletionStage()
          .toCompletableFuture()
          .get(START_LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          "can't serve metrics on " + listen.host() + ":" + listen.port() + ": " + e, e);
    }
    server = started;
  }

  private HttpServerOptions options() {
    HttpServerOptions options = new HttpServerOptions().setIdleTimeout(IDLE_SECONDS);
    if (configuration.metrics().secure()) {
      ControllerConfiguration.Tls tls = configuration.tls();
      tls.cipherSuites().forEach(options::addEnabledCipherSuite);
      options
          .setSsl(true)
          .setUseAlpn(false)
          .setEnabledSecureTransportProtocols(tls.protocols())
          .setKeyCertOptions(KeyCertOptions.wrap(certificate));
    }
    return options;
  }

  /** The port that it listens on. */
  public int port() {
    return server.actualPort();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the answer tells the failure
  private void answer(HttpServerRequest request) {
    if (!request.path().equals(PATH)) {
      request.response().setStatusCode(404).end();
      return;
    }
    if (!configuration.metrics().authenticated()) {
      tell(request);
      return;
    }
    readers
        .mayRead(request.getHeader("Authorization"))
        .whenComplete(
            (verdict, failure) -> {
              if (failure != null) {
                log.warn("Can't check who reads the metrics: {}", failure.toString());
                request.response().setStatusCode(500).end();
              } else if (verdict == MetricsReaders.Verdict.ALLOWED) {
                tell(request);
              } else {
                request.response().setStatusCode(verdict.code()).end();
              }
            });
  }

  /** Collects on a worker's thread, since collectors look through caches. */
  private void tell(HttpServerRequest request) {
    ExpositionFormatWriter format = formats.findWriter(request.getHeader("Accept"));
    vertx
        .executeBlocking(() -> collect(format), /* ordered= */ false)
        .onComplete(
            text -> request.response().putHeader("Content-Type", format.getContentType()).end(text),
            failure -> {
              log.warn("Can't collect the metrics", failure);
              request.response().setStatusCode(500).end();
            });
  }

  private Buffer collect(ExpositionFormatWriter format) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    format.write(text, registry.scrape(), EscapingScheme.DEFAULT);
    return Buffer.buffer(text.toByteArray());
  }

  @Override
  public Optional<String> notReady() {
    return server == null ? Optional.of("it has not started yet") : Optional.empty();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
