package dev.waymark.cli.page;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides which requests are answered. Any page that the user's browser has open can send requests
 * to loopback, and with DNS rebinding under a name of its own: so the host must be one of ours, the
 * origin ours or none, and the cookie the one that was given for the secret. Where something is to
 * be done, by POST, the origin must be ours: browsers always send it then.
 */
final class RequestGate {

  enum Verdict {
    SERVE,
    GIVE_COOKIE,
    WRONG_HOST,
    FOREIGN_ORIGIN,
    /** Something is to be done, and nobody says whose page asks for it. */
    NO_ORIGIN,
    WRONG_METHOD,
    WRONG_SECRET,
    NO_COOKIE,
    /** No cookie, since another site's page led here: SameSite=Strict keeps it back once. */
    NO_COOKIE_YET
  }

  /**
   * What of a request matters here; null for what it doesn't have.
   *
   * @param hosts all its Host headers
   * @param secret the query parameter
   * @param cookie the value of {@link #cookieName()}
   * @param fetchSite Sec-Fetch-Site, likewise the two that follow
   */
  record Request(
      String method,
      List<String> hosts,
      String origin,
      String path,
      String secret,
      String cookie,
      String fetchSite,
      String fetchMode,
      String fetchDest) {

    /** Someone opens the page by a link or by hand: what comes back is shown to nobody else. */
    boolean opensThePage() {
      return path.equals("/") && "navigate".equals(fetchMode) && "document".equals(fetchDest);
    }
  }

  private static final Set<String> OWN_FETCH_SITES = Set.of("same-origin", "none");

  private final Set<String> hosts;
  private final Set<String> origins;
  private final int port;
  private final Secrets secrets;
  private final Predicate<String> actions;

  /**
   * The two secrets of a server. They differ, so that a cookie doesn't tell the link.
   *
   * @param link what the URL carries, until it is exchanged
   * @param cookie what the browser sends from then on
   */
  record Secrets(String link, String cookie) {

    private static final int BYTES = 32;

    static Secrets random() {
      SecureRandom random = new SecureRandom();
      return new Secrets(random(random), random(random));
    }

    private static String random(SecureRandom random) {
      byte[] bytes = new byte[BYTES];
      random.nextBytes(bytes);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
  }

  /**
   * @param actions tells the paths that do something
   */
  RequestGate(int port, Secrets secrets, Predicate<String> actions) {
    this.port = port;
    this.secrets = secrets;
    this.actions = actions;
    this.hosts = Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port);
    this.origins =
        Set.of("http://127.0.0.1:" + port, "http://localhost:" + port, "http://[::1]:" + port);
  }

  /** Cookies know hosts, not ports: the name keeps servers on one host apart. */
  String cookieName() {
    return "waymark-" + port;
  }

  /** What the browser gets for the link, and sends from then on. */
  String cookie() {
    return secrets.cookie();
  }

  /** The one method that a path takes. */
  String methodOf(String path) {
    return actions.test(path) ? "POST" : "GET";
  }

  Verdict judge(Request request) {
    if (request.hosts().size() != 1 || !hosts.contains(request.hosts().get(0))) {
      return Verdict.WRONG_HOST;
    }
    if (isForeign(request)) {
      return Verdict.FOREIGN_ORIGIN;
    }
    if (!request.method().equals(methodOf(request.path()))) {
      return Verdict.WRONG_METHOD;
    }
    if (request.method().equals("POST") && request.origin() == null) {
      return Verdict.NO_ORIGIN;
    }
    if (request.secret() != null) {
      boolean opens = request.path().equals("/") && same(request.secret(), secrets.link());
      return opens ? Verdict.GIVE_COOKIE : Verdict.WRONG_SECRET;
    }
    if (request.cookie() != null && same(request.cookie(), secrets.cookie())) {
      return Verdict.SERVE;
    }
    return isFromOutside(request) ? Verdict.NO_COOKIE_YET : Verdict.NO_COOKIE;
  }

  private boolean isForeign(Request request) {
    boolean foreignOrigin = request.origin() != null && !origins.contains(request.origin());
    return foreignOrigin || (isFromOutside(request) && !request.opensThePage());
  }

  private static boolean isFromOutside(Request request) {
    return request.fetchSite() != null && !OWN_FETCH_SITES.contains(request.fetchSite());
  }

  private static boolean same(String given, String expected) {
    return MessageDigest.isEqual(given.getBytes(US_ASCII), expected.getBytes(US_ASCII));
  }
}
