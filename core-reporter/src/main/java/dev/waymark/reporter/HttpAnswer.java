package dev.waymark.reporter;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What the server answered to one request: status, the beginning of the body, whether the
 * connection can be used again. Immutable.
 *
 * <p>Reads HTTP/1.1 (RFC 9112) as far as a client needs it that posts and looks at the status. The
 * upstream server echoes the whole document, in chunks when it is larger than 2 KiB (Go net/http),
 * so bodies are read to their end to keep the connection.
 */
final class HttpAnswer {
  private static final int MAX_HEAD_BYTES = 32 * 1024;
  private static final int MAX_BODY_BYTES = 256 * 1024;
  private static final int MAX_INTERIM_ANSWERS = 8;
  private static final int EXCERPT_BYTES = 2 * 1024;

  private final int status;
  private final String excerpt;
  private final boolean reusable;

  HttpAnswer(int status, String excerpt, boolean reusable) {
    this.status = status;
    this.excerpt = excerpt;
    this.reusable = reusable;
  }

  /** The status code, 200 to 599. */
  int status() {
    return status;
  }

  /** The first bytes of the body, at most 2 KiB, as UTF-8; may be empty. */
  String excerpt() {
    return excerpt;
  }

  /** Whether the server keeps the connection open and the answer was read to its end. */
  boolean isReusable() {
    return reusable;
  }

  /**
   * Reads one answer. Once the status is known, trouble in the body is no failure: the connection
   * is just not used again.
   *
   * @throws IOException if the head is incomplete, too large or no HTTP
   */
  static HttpAnswer read(InputStream in) throws IOException {
    for (int i = 0; i < MAX_INTERIM_ANSWERS; i++) {
      Head head = Head.read(in);
      if (head.status >= 200) {
        return withBody(head, in);
      }
    }
    throw new IOException("no final answer after " + MAX_INTERIM_ANSWERS + " interim ones");
  }

  private static HttpAnswer withBody(Head head, InputStream in) {
    Body body = new Body(in);
    boolean complete = false;
    try {
      complete = body.read(head);
    } catch (IOException e) {
      // The status, which is what counts, has come.
    }
    return new HttpAnswer(head.status, body.excerpt(), complete && head.persistent);
  }

  /** Status line and the header fields that matter. */
  private static final class Head {
    private final int status;
    private boolean persistent;
    private boolean chunked;
    private long contentLength = -1;

    private Head(String statusLine) throws IOException {
      if (!statusLine.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
        throw new IOException("the answer is no HTTP/1.1: " + beginningOf(statusLine));
      }
      status = Integer.parseInt(statusLine.substring(9, 12));
      persistent = statusLine.startsWith("HTTP/1.1");
    }

    static Head read(InputStream in) throws IOException {
      int budget = MAX_HEAD_BYTES;
      String line = readLine(in, budget);
      Head head = new Head(line);
      while (true) {
        budget -= line.length() + 2;
        line = readLine(in, budget);
        if (line.isEmpty()) {
          return head;
        }
        head.add(line);
      }
    }

    private void add(String line) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        return;
      }
      String value = line.substring(colon + 1).trim().toLowerCase(Locale.ROOT);
      switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "content-length":
          contentLength = value.matches("[0-9]{1,12}") ? Long.parseLong(value) : Long.MAX_VALUE;
          break;
        case "transfer-encoding":
          chunked = value.equals("chunked");
          break;
        case "connection":
          persistent &= !value.equals("close");
          break;
        default:
      }
    }
  }

  /** Reads a body, keeps its beginning. */
  private static final class Body {
    private final InputStream in;
    private final ByteArrayOutputStream excerpt = new ByteArrayOutputStream();
    private int total;

    private Body(InputStream in) {
      this.in = in;
    }

    /** Whether the body was read to its end, and the next answer can follow on the connection. */
    boolean read(Head head) throws IOException {
      if (head.status == 204 || head.status == 304) {
        return true;
      }
      if (head.chunked) {
        return readChunks();
      }
      if (head.contentLength >= 0) {
        return readFixed(head.contentLength);
      }
      readFixed(MAX_BODY_BYTES); // up to the end of the connection
      return false;
    }

    private boolean readChunks() throws IOException {
      while (true) {
        String size = readLine(in, 1024).split(";", 2)[0].trim();
        if (!size.matches("[0-9a-fA-F]{1,7}")) {
          return false;
        }
        int length = Integer.parseInt(size, 16);
        if (length == 0) {
          return readTrailers();
        }
        if (!readFixed(length) || !readLine(in, 2).isEmpty()) {
          return false;
        }
      }
    }

    private boolean readTrailers() throws IOException {
      for (int budget = MAX_HEAD_BYTES; budget > 0; ) {
        String line = readLine(in, budget);
        if (line.isEmpty()) {
          return true;
        }
        budget -= line.length() + 2;
      }
      return false;
    }

    private boolean readFixed(long length) throws IOException {
      byte[] buffer = new byte[8 * 1024];
      for (long left = length; left > 0; ) {
        if (total >= MAX_BODY_BYTES) {
          return false;
        }
        int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (n < 0) {
          return false;
        }
        excerpt.write(buffer, 0, Math.min(n, EXCERPT_BYTES - excerpt.size()));
        total += n;
        left -= n;
      }
      return true;
    }

    String excerpt() {
      return new String(excerpt.toByteArray(), StandardCharsets.UTF_8);
    }
  }

  /** One line without its end (CRLF, or LF alone as RFC 9112 section 2.2 allows). */
  private static String readLine(InputStream in, int maxBytes) throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int b = in.read();
      if (b < 0) {
        throw new EOFException("the server closed the connection without an answer");
      }
      if (b == '\n') {
        int length = line.length();
        if (length > 0 && line.charAt(length - 1) == '\r') {
          line.setLength(length - 1);
        }
        return line.toString();
      }
      if (line.length() >= maxBytes) {
        throw new IOException("the answer's head is too large, it begins " + beginningOf(line));
      }
      line.append((char) b);
    }
  }

  private static String beginningOf(CharSequence text) {
    return text.subSequence(0, Math.min(text.length(), 60)).toString();
  }
}
