package dev.waymark.cli.page;

import dev.waymark.cli.history.RunHistory;
import dev.waymark.cli.history.RunId;
import dev.waymark.cli.page.PageAssets.Asset;
import dev.waymark.cli.page.RequestGate.Request;
import io.vertx.core.Vertx;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers requests.
 *
 * <pre>
 *   /?secret=...              the way in: a cookie, and on to an address without the secret
 *   /                         the page
 *   /page.js, /page.css, ...  its files
 *   /api/runs/{id}/{number}   a run with its curves
 *   /api/events               all runs and what changes, as server-sent events
 * </pre>
 */
final class PageRoutes {

  private static final Pattern RUN = Pattern.compile("/api/runs/([\\w-]{1,64})/(\\d{1,9})");

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

  private static final String WHERE_THE_LINK_IS =
      "`waymark run` prints it in the terminal when it starts.";

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

  private final Vertx vertx;
  private final RunHistory history;
  private final PageAssets assets;
  private final RunFeed feed;

  PageRoutes(Vertx vertx, RunHistory history, PageAssets assets, RunFeed feed) {
    this.vertx = vertx;
    this.history = history;
    this.assets = assets;
    this.feed = feed;
  }

  void handle(HttpServerRequest request, RequestGate gate) {
    HttpServerResponse response = request.response();
    HEADERS.forEach(response::putHeader);
    switch (gate.judge(facts(request, gate))) {
      case SERVE -> serve(request.path(), response);
      case GIVE_COOKIE -> giveCookie(response, gate);
      case NO_COOKIE_YET -> send(response.setStatusCode(403), "text/html", ONCE_MORE);
      case WRONG_HOST -> refuse(response, 403, "This address is not the page's.");
      case FOREIGN_ORIGIN -> refuse(response, 403, "Another site's page may not ask for this.");
      case WRONG_METHOD -> refuse(response.putHeader("Allow", "GET"), 405, "GET only.");
      case WRONG_SECRET -> {
        if (isReadable(request)) {
          refuse(response, 403, "This link has expired. " + WHERE_THE_LINK_IS);
        } else {
          refuse(response, 400, "The query of this address can't be decoded.");
        }
      }
      case NO_COOKIE -> refuse(response, 403, "The way in is a link. " + WHERE_THE_LINK_IS);
    }
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

  private void serve(String path, HttpServerResponse response) {
    Asset asset = assets.get(path);
    Matcher run = RUN.matcher(path);
    if (asset != null) {
      response.putHeader("Content-Type", asset.mediaType()).end(asset.content());
    } else if (path.equals("/api/events")) {
      serveEvents(response);
    } else if (run.matches()) {
      serveRun(new RunId(run.group(1), Integer.parseInt(run.group(2))), response);
    } else {
      refuse(response, 404, "There is nothing here.");
    }
  }

  private void serveEvents(HttpServerResponse response) {
    if (!feed.add(response)) {
      refuse(response, 503, "Too many pages are open.");
    }
  }

  private void serveRun(RunId id, HttpServerResponse response) {
    vertx
        .executeBlocking(
            () -> history.run(id).map(run -> RunJson.detail(run, Instant.now())), false)
        .onSuccess(
            json ->
                json.ifPresentOrElse(
                    found -> send(response, "application/json", found),
                    () -> refuse(response, 404, "This run is not, or no longer, recorded.")))
        .onFailure(e -> refuse(response, 500, "This run can't be read: " + e));
  }

  private static void refuse(HttpServerResponse response, int status, String why) {
    send(response.setStatusCode(status), "text/plain", why + "\n");
  }

  private static void send(HttpServerResponse response, String mediaType, String content) {
    response.putHeader("Content-Type", mediaType + "; charset=utf-8").end(content);
  }
}
