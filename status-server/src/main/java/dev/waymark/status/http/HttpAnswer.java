package dev.waymark.status.http;

/**
 * An answer to a request.
 *
 * @param code HTTP status
 * @param contentType of the body; null when there is none
 * @param location where the client should go instead; null when it is right here
 * @param body never null
 */
public record HttpAnswer(int code, String contentType, String location, String body) {

  /** An answer of JSON. */
  public static HttpAnswer json(int code, String body) {
    return new HttpAnswer(code, "application/json", null, body);
  }

  /** An answer for people. */
  public static HttpAnswer text(int code, String body) {
    return new HttpAnswer(code, "text/plain; charset=utf-8", null, body);
  }
}
