package dev.waymark.controller;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A way to the API server on which each watch asks for an end after a second. The API server's own
 * flag, {@code --min-request-timeout}, has no say: fabric8 7.6.1 asks for ten minutes in each
 * watch.
 */
final class ShortWatches implements AutoCloseable {

  private static final Pattern TIMEOUT = Pattern.compile("([?&]timeoutSeconds=)\\d+");
  private static final long START_SECONDS = 30;

  private final Vertx vertx = Vertx.vertx();
  private final URI apiServer;
  private final String authority;
  private final NetClient client;
  private final NetServer server;
  private final AtomicInteger watches = new AtomicInteger();

  /**
   * Opens the way.
   *
   * @param folder for its certificate
   */
  static ShortWatches to(URI apiServer, Path folder) throws Exception {
    TestCertificate certificate = TestCertificate.create();
    Files.createDirectories(folder);
    certificate.writeTo(folder);
    ShortWatches way = new ShortWatches(apiServer, folder);
    way.server
        .listen(0, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .get(START_SECONDS, TimeUnit.SECONDS);
    return way;
  }

  private ShortWatches(URI apiServer, Path folder) throws Exception {
    this.apiServer = apiServer;
    authority = Base64.getEncoder().encodeToString(Files.readAllBytes(folder.resolve("ca.crt")));
    client =
        vertx.createNetClient(
            new NetClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setHostnameVerificationAlgorithm(""));
    server =
        vertx
            .createNetServer(
                new NetServerOptions()
                    .setSsl(true)
                    .setKeyCertOptions(
                        new PemKeyCertOptions()
                            .setCertPath(folder.resolve("tls.crt").toString())
                            .setKeyPath(folder.resolve("tls.key").toString())))
            .connectHandler(this::relay);
  }

  /** What clients call. */
  String url() {
    return "https://127.0.0.1:" + server.actualPort();
  }

  /** Who vouches for it, PEM in Base64. */
  String authority() {
    return authority;
  }

  /** How many watches were begun. */
  int watches() {
    return watches.get();
  }

  private void relay(NetSocket inbound) {
    inbound.pause();
    Future<NetSocket> connected = client.connect(apiServer.getPort(), apiServer.getHost());
    connected.onFailure(refused -> inbound.close());
    connected.onSuccess(
        outbound -> {
          inbound.handler(request -> outbound.write(shortened(request)));
          outbound.handler(inbound::write);
          inbound.closeHandler(closed -> outbound.close());
          outbound.closeHandler(closed -> inbound.close());
          inbound.resume();
        });
  }

  /** A watch's request, which is small enough to come in one piece, with another time-out. */
  private Buffer shortened(Buffer request) {
    Matcher timeout = TIMEOUT.matcher(request.toString(StandardCharsets.ISO_8859_1));
    if (!timeout.find()) {
      return request;
    }
    watches.incrementAndGet();
    return Buffer.buffer(timeout.replaceFirst("$11"), StandardCharsets.ISO_8859_1.name());
  }

  @Override
  public void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
  }
}
