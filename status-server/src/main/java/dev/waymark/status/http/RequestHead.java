package dev.waymark.status.http;

/**
 * What stands before a request's body.
 *
 * @param method such as {@code POST}
 * @param target of the request line, escapes and query included (so it is fit for a log)
 * @param contentLength in bytes as declared, or -1
 * @param authorization value of that header, or null
 */
public record RequestHead(String method, String target, long contentLength, String authorization) {}
