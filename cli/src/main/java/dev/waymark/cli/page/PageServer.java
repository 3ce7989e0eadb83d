package dev.waymark.cli.page;

import dev.waymark.cli.history.RunHistory;
import dev.waymark.cli.page.RequestGate.Secrets;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the page of the local runner on loopback, to whoever has its link. Nothing but the program
 * and the browser is needed: the page takes no file from elsewhere.
 */
public final class PageServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PageServer.class);

  private static final String LOOPBACK = "127.0.0.1";
  private static final int START_AND_STOP_SECONDS = 10;
  private static final long GOODBYE_MS = 1_000;

  private static final HttpServerOptions OPTIONS =
      new HttpServerOptions()
          .setHost(LOOPBACK)
          .setHttp2ClearTextEnabled(false)
          .setMaxHeaderSize(16 * 1024)
          .setIdleTimeout(60)
          .setIdleTimeoutUnit(TimeUnit.SECONDS);

  private final Vertx vertx;
  private final Context context;
  private final HttpServer server;
  private final RunFeed feed;
  private final URI url;

  private PageServer(Vertx vertx, Context context, HttpServer server, RunFeed feed, URI url) {
    this.vertx = vertx;
    this.context = context;
    this.server = server;
    this.feed = feed;
    this.url = url;
  }

  /**
   * Starts to serve; returns when the port is open. Not to be called on an event loop.
   *
   * @param port 1 to 65535, or 0 for a free one
   * @throws IOException if the port can't be had; its message is for the user
   */
  public static PageServer start(Vertx vertx, RunHistory history, int port) throws IOException {
    return start(vertx, history, port, Secrets.random());
  }

  static PageServer start(Vertx vertx, RunHistory history, int port, Secrets secrets)
      throws IOException {
    PageAssets assets = PageAssets.load();
    Context context = vertx.getOrCreateContext();
    HttpServer server = vertx.createHttpServer(new HttpServerOptions(OPTIONS).setPort(port));
    return await(
        on(
            context,
            () -> {
              RunFeed feed = new RunFeed(vertx, context, history);
              PageRoutes routes = new PageRoutes(vertx, history, assets, feed);
              return server
                  .requestHandler(request -> routes.handle(request, gate(server, secrets)))
                  .listen()
                  .onFailure(e -> feed.close())
                  .map(s -> new PageServer(vertx, context, s, feed, url(s.actualPort(), secrets)))
                  .recover(e -> Future.failedFuture(unavailable(port, e)));
            }));
  }

  private static RequestGate gate(HttpServer server, Secrets secrets) {
    return new RequestGate(server.actualPort(), secrets);
  }

  private static URI url(int port, Secrets secrets) {
    return URI.create("http://" + LOOPBACK + ":" + port + "/?secret=" + secrets.link());
  }

  private static IOException unavailable(int port, Throwable cause) {
    return new IOException(
        "the page can't be served on port %d (%s): choose another with --port, or leave it out"
            .formatted(port, cause.getMessage()),
        cause);
  }

  /** Where the page is, with the secret that opens it. */
  public URI url() {
    return url;
  }

  /**
   * Tells open pages that this is the end, and frees the port. Not to be called on an event loop.
   */
  @Override
  public void close() {
    try {
      await(on(context, () -> withinGoodbye(feed.close()).eventually(() -> server.close())));
    } catch (IOException e) {
      LOG.warn("the page's server did not stop cleanly: {}", e.getMessage());
    }
  }

  /** A page that doesn't read must not keep the program from ending. */
  private Future<Void> withinGoodbye(Future<Void> goodbye) {
    Promise<Void> time = Promise.promise();
    long timer = vertx.setTimer(GOODBYE_MS, id -> time.tryComplete());
    return Future.any(goodbye, time.future()).onComplete(r -> vertx.cancelTimer(timer)).mapEmpty();
  }

  private static <T> Future<T> on(Context context, Supplier<Future<T>> action) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(
        v -> Future.succeededFuture().compose(x -> action.get()).onComplete(promise));
    return promise.future();
  }

  private static <T> T await(Future<T> future) throws IOException {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(START_AND_STOP_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + START_AND_STOP_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
