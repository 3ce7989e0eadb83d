package dev.waymark.cli.page;

import dev.waymark.cli.history.RunHistory;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;

/** Serves the page of the local runner on loopback, to whoever has its secret. */
public final class PageServer implements AutoCloseable {

  private final URI url;

  private PageServer(URI url) {
    this.url = url;
  }

  /**
   * Starts to serve; returns when the port is open. Not to be called on an event loop.
   *
   * @param port 1 to 65535, or 0 for a free one
   * @throws IOException if the port can't be had; its message is for the user
   */
  public static PageServer start(Vertx vertx, RunHistory history, int port) throws IOException {
    throw new IOException("the page is not built yet");
  }

  /** Where the page is, with the secret that opens it. */
  public URI url() {
    return url;
  }

  /**
   * Tells open pages that the server ends, and frees the port. Not to be called on an event loop.
   */
  @Override
  public void close() {}
}
