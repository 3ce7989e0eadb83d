package dev.waymark.cli.page;

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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a page on loopback, to whoever has its link. Nothing but the program and the browser is
 * needed: the page takes no file from elsewhere.
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
  private final boolean ownsVertx;
  private final Context context;
  private final HttpServer server;
  private final RowFeed feed;
  private final StreamPump pump;
  private final URI url;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PageServer(
      Vertx vertx,
      boolean ownsVertx,
      Context context,
      HttpServer server,
      RowFeed feed,
      StreamPump pump,
      URI url) {
    this.vertx = vertx;
    this.ownsVertx = ownsVertx;
    this.context = context;
    this.server = server;
    this.feed = feed;
    this.pump = pump;
    this.url = url;
  }

  /**
   * Starts to serve; returns when the port is open. Not to be called on an event loop.
   *
   * @param port 1 to 65535, or 0 for a free one
   * @throws IOException if the port can't be had; its message is for the user
   */
  public static PageServer start(Vertx vertx, PageContent content, int port) throws IOException {
    return start(vertx, content, port, Secrets.random());
  }

  /** Like the other, with a Vert.x of its own. */
  public static PageServer start(PageContent content, int port) throws IOException {
    Vertx vertx = LoopbackVertx.create();
    try {
      return start(vertx, /* ownsVertx= */ true, content, port, Secrets.random());
    } catch (IOException | RuntimeException e) {
      closeOwn(vertx);
      throw e;
    }
  }

  static PageServer start(Vertx vertx, PageContent content, int port, Secrets secrets)
      throws IOException {
    return start(vertx, /* ownsVertx= */ false, content, port, secrets);
  }

  private static PageServer start(
      Vertx vertx, boolean ownsVertx, PageContent content, int port, Secrets secrets)
      throws IOException {
    PageAssets assets = PageAssets.load(content.files());
    Context context = vertx.getOrCreateContext();
    HttpServer server = vertx.createHttpServer(new HttpServerOptions(OPTIONS).setPort(port));
    return await(
        on(
            context,
            () -> {
              RowFeed feed = new RowFeed(vertx, context, content.rows());
              StreamPump pump = new StreamPump(vertx);
              PageRoutes routes = new PageRoutes(context, content, assets, feed, pump);
              return server
                  .requestHandler(
                      request ->
                          routes.handle(
                              request,
                              new RequestGate(server.actualPort(), secrets, content::isAction)))
                  .listen()
                  .onFailure(e -> feed.close())
                  .map(
                      s ->
                          new PageServer(
                              vertx,
                              ownsVertx,
                              context,
                              s,
                              feed,
                              pump,
                              url(s.actualPort(), secrets)))
                  .recover(e -> Future.failedFuture(unavailable(port, e)));
            }));
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
   * Only the first call counts.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      await(
          on(
              context,
              () -> {
                pump.close();
                return withinGoodbye(feed.close()).eventually(() -> server.close());
              }));
    } catch (IOException e) {
      LOG.warn("the page's server did not stop cleanly: {}", e.getMessage());
    } finally {
      if (ownsVertx) {
        closeOwn(vertx);
      }
    }
  }

  private static void closeOwn(Vertx vertx) {
    vertx.close().toCompletionStage().toCompletableFuture().join();
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
