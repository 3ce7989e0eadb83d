package dev.waymark.cli.page;

/**
 * What a page gets for a request.
 *
 * @param status of HTTP
 * @param mediaType without its charset, which is UTF-8
 */
public record PageAnswer(int status, String mediaType, String body) {

  public static PageAnswer json(String document) {
    return new PageAnswer(200, "application/json", document);
  }

  /** It isn't done, or isn't there. */
  public static PageAnswer refused(int status, String why) {
    return new PageAnswer(status, "text/plain", why + "\n");
  }
}
