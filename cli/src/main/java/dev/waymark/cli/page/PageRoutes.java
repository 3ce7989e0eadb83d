package dev.waymark.cli.page;

import dev.waymark.cli.page.PageAssets.Asset;
import dev.waymark.cli.page.RequestGate.Request;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Answers requests.
 *
 * <pre>
 *   /?secret=...              the way in: a cookie, and on to an address without the secret
 *   /                         the page
 *   /page.js, /page.css, ...  its files
 *   /api/events               all rows and what changes, as server-sent events
 *   /api/...                  what the {@link PageContent} knows
 * </pre>
 */
final class PageRoutes {

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
              + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
              + "require-trusted-types-for 'script'; trusted-types 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  /** This page leads to the page by itself, and so the browser adds the cookie. */
  private static final String ONCE_MORE =
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta http-equiv="refresh" content="0;url=/">
      <title>Waymark</title>
      <p><a href="/">Open the page</a>
      """;

  private final Context context;
  private final PageContent content;
  private final PageAssets assets;
  private final RowFeed feed;
  private final StreamPump pump;

  PageRoutes(
      Context context, PageContent content, PageAssets assets, RowFeed feed, StreamPump pump) {
    this.context = context;
    this.content = content;
    this.assets = assets;
    this.feed = feed;
    this.pump = pump;
  }

  void handle(HttpServerRequest request, RequestGate gate) {
    HttpServerResponse response = request.response();
    HEADERS.forEach(response::putHeader);
    switch (gate.judge(facts(request, gate))) {
      case SERVE -> serve(request);
      case GIVE_COOKIE -> giveCookie(response, gate);
      case NO_COOKIE_YET -> send(response.setStatusCode(403), "text/html", ONCE_MORE);
      case WRONG_HOST -> refuse(response, 403, "This address is not the page's.");
      case FOREIGN_ORIGIN -> refuse(response, 403, "Another site's page may not ask for this.");
      case NO_ORIGIN -> refuse(response, 403, "Only the page itself may ask for this.");
      case WRONG_METHOD -> {
        String allowed = gate.methodOf(request.path());
        refuse(response.putHeader("Allow", allowed), 405, allowed + " only.");
      }
      case WRONG_SECRET -> {
        if (isReadable(request)) {
          refuse(response, 403, "This link has expired. " + whereTheLinkIs());
        } else {
          refuse(response, 400, "The query of this address can't be decoded.");
        }
      }
      case NO_COOKIE -> refuse(response, 403, "The way in is a link. " + whereTheLinkIs());
    }
  }

  private String whereTheLinkIs() {
    return "`" + content.command() + "` prints it in the terminal when it starts.";
  }

  private static Request facts(HttpServerRequest request, RequestGate gate) {
    Cookie cookie = request.getCookie(gate.cookieName());
    return new Request(
        request.method().name(),
        request.headers().getAll("Host"),
        request.getHeader("Origin"),
        request.path(),
        secret(request),
        cookie == null ? null : cookie.getValue(),
        request.getHeader("Sec-Fetch-Site"),
        request.getHeader("Sec-Fetch-Mode"),
        request.getHeader("Sec-Fetch-Dest"));
  }

  /**
   * Where the query can't be decoded, a wrong one: that is told once host and origin are judged.
   */
  private static String secret(HttpServerRequest request) {
    return isReadable(request) ? request.getParam("secret") : "";
  }

  private static boolean isReadable(HttpServerRequest request) {
    try {
      request.params();
      return true;
    } catch (IllegalArgumentException undecodable) {
      return false;
    }
  }

  private static void giveCookie(HttpServerResponse response, RequestGate gate) {
    response.addCookie(
        Cookie.cookie(gate.cookieName(), gate.cookie())
            .setPath("/")
            .setHttpOnly(true)
            .setSameSite(CookieSameSite.STRICT));
    response.setStatusCode(303).putHeader("Location", "/").end();
  }

  private void serve(HttpServerRequest request) {
    String path = request.path();
    HttpServerResponse response = request.response();
    Asset asset = assets.get(path);
    if (asset != null) {
      response.putHeader("Content-Type", asset.mediaType()).end(asset.content());
    } else if (path.equals("/api/events")) {
      refuseUnless(feed.add(response), response);
    } else if (content.isAction(path)) {
      answer(content.act(path), response);
    } else {
      Optional<PageStream> stream = content.stream(path, request::getParam);
      if (stream.isPresent()) {
        refuseUnless(pump.add(stream.get(), response), response);
      } else {
        answer(content.answer(path), response);
      }
    }
  }

  private static void refuseUnless(boolean hasRoom, HttpServerResponse response) {
    if (!hasRoom) {
      refuse(response, 503, "Too many pages are open.");
    }
  }

  private void answer(CompletionStage<PageAnswer> answer, HttpServerResponse response) {
    Future.fromCompletionStage(answer, context)
        .onSuccess(it -> send(response.setStatusCode(it.status()), it.mediaType(), it.body()))
        .onFailure(e -> refuse(response, 500, "This can't be had: " + e));
  }

  private static void refuse(HttpServerResponse response, int status, String why) {
    send(response.setStatusCode(status), "text/plain", why + "\n");
  }

  private static void send(HttpServerResponse response, String mediaType, String content) {
    response.putHeader("Content-Type", mediaType + "; charset=utf-8").end(content);
  }
}
