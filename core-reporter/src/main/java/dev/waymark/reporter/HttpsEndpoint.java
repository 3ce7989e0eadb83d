package dev.waymark.reporter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * The status endpoint behind an https URL: POST with a bearer token, over TLS 1.2 or newer, to a
 * server whose certificate and host name are verified.
 *
 * <p>Written by hand, on java.base alone: java.net.http is absent from many jlink images, and
 * HttpsURLConnection has no deadline for the whole request.
 *
 * <p>The connection is kept from one report to the next: a handshake, even a resumed one, is new
 * key agreement in code that a short training never gets compiled. It costs some 9 ms of CPU (14 ms
 * the first time), a request on a kept connection less than 1 ms (JDK 17). A kept connection that
 * the server has closed meanwhile is replaced at once; the document may be sent twice then, which
 * does no harm, as each one replaces the whole status.
 *
 * <p>{@link #post} is called by one thread at a time.
 */
final class HttpsEndpoint implements StatusEndpoint {
  private static final int DEFAULT_PORT = 443;
  private static final int REQUEST_TIMEOUT = 408;

  private final URI url;
  private final String host;
  private final int port;
  private final TokenFile token;
  private final TrustedCertificates trusted;
  private final String trustedName;

  private SSLContext contextOfConnection;
  private volatile HttpsConnection connection;
  private volatile boolean closed;

  /**
   * @param url a URL that {@link #problemWith} finds nothing wrong with
   * @param token the file with the bearer token; null to send none
   * @param caBundle PEM file with all trusted certificates; null for the JVM's default trust store
   * @throws IllegalArgumentException for any other URL
   */
  HttpsEndpoint(URI url, Path token, Path caBundle) {
    String problem = problemWith(url);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    this.url = url;
    this.host = url.getHost().replaceAll("[\\[\\]]", "");
    this.port = url.getPort() < 0 ? DEFAULT_PORT : url.getPort();
    this.token = token == null ? null : new TokenFile(token);
    this.trusted = new TrustedCertificates(caBundle);
    this.trustedName = caBundle == null ? "the JVM's trust store" : caBundle.toString();
  }

  /** What is wrong with a URL as an endpoint, in words for its setting; null if nothing is. */
  static String problemWith(URI url) {
    if (!"https".equalsIgnoreCase(url.getScheme())) {
      return url + " is no https URL; over anything else the token would travel in clear";
    }
    if (url.getHost() == null) {
      return url + " has no valid host name";
    }
    if (url.getPort() > 65535 || url.getPort() == 0) {
      return url + " has no valid port";
    }
    if (url.getRawUserInfo() != null) {
      return "https://" + url.getHost() + " may not carry a user name or password";
    }
    return null;
  }

  @Override
  public String name() {
    return "https://" + url.getHost() + ":" + port;
  }

  @Override
  public HttpAnswer post(byte[] document, Deadline deadline) throws IOException {
    byte[] request = request(document);
    HttpsConnection kept = connection;
    if (kept != null && kept.isReusable() && trusted.context() == contextOfConnection) {
      try {
        HttpAnswer answer = kept.exchange(request, deadline);
        if (answer.status() != REQUEST_TIMEOUT) {
          return answer;
        }
        // Some proxies say so before they close an idle connection (HAProxy): not about us.
      } catch (IOException e) {
        if (!kept.wasClosedUnanswered() || deadline.hasPassed() || closed) {
          throw e;
        }
        // The server has closed the idle connection: no failure, a new one is due.
      }
    }
    return open(deadline).exchange(request, deadline);
  }

  private HttpsConnection open(Deadline deadline) throws IOException {
    SSLContext context = trusted.context();
    try {
      return open(context, deadline);
    } catch (SSLException e) {
      if (!trusted.reload()) {
        throw new IOException(explain(e), e);
      }
    }
    try {
      return open(trusted.context(), deadline);
    } catch (SSLException e) {
      throw new IOException(explain(e), e);
    }
  }

  private HttpsConnection open(SSLContext context, Deadline deadline) throws IOException {
    HttpsConnection former = connection;
    if (former != null) {
      former.close();
    }
    HttpsConnection fresh = new HttpsConnection(host, port);
    connection = fresh;
    contextOfConnection = context;
    if (closed) {
      throw new IOException("closed");
    }
    fresh.open(context, deadline);
    return fresh;
  }

  private byte[] request(byte[] document) throws IOException {
    StringBuilder head = new StringBuilder(2048);
    head.append("POST ").append(target()).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(url.getHost());
    if (port != DEFAULT_PORT) {
      head.append(':').append(port);
    }
    head.append("\r\n");
    if (token != null) {
      head.append("Authorization: Bearer ").append(token.read()).append("\r\n");
    }
    head.append("Content-Type: application/json\r\n");
    head.append("Content-Length: ").append(document.length).append("\r\n");
    head.append("User-Agent: waymark\r\n\r\n");
    ByteArrayOutputStream request = new ByteArrayOutputStream(head.length() + document.length);
    request.writeBytes(head.toString().getBytes(StandardCharsets.US_ASCII));
    request.writeBytes(document);
    return request.toByteArray(); // one write, so that head and body share TLS records
  }

  private String target() {
    String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
  }

  private String explain(SSLException e) {
    // From the deepest cause up, as the outer ones say less.
    Deque<Throwable> causes = new ArrayDeque<>();
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      causes.push(cause);
    }
    for (Throwable cause : causes) {
      if (cause instanceof CertificateExpiredException) {
        return "the server's certificate has expired (" + cause.getMessage() + ")";
      }
      if (cause instanceof CertificateNotYetValidException) {
        return "the server's certificate is not valid yet (" + cause.getMessage() + ")";
      }
      if (cause instanceof CertPathBuilderException
          || cause instanceof CertPathValidatorException) {
        // The second one with a CA of the same name but another key: a rotated one.
        return "the server's certificate is not signed by a CA in " + trustedName;
      }
      if (cause instanceof CertificateException) {
        return "the server's certificate is not for " + host + ": " + cause.getMessage();
      }
    }
    String message = String.valueOf(e.getMessage());
    if (message.contains("handshake_failure")) {
      // Seen with EC certificates on a jlink image of JDK 17 without that module.
      return "TLS handshake refused (does this Java image lack the module jdk.crypto.ec?)";
    }
    return "TLS handshake failed: " + message;
  }

  @Override
  public String hint() {
    HttpsConnection current = connection;
    return current == null ? "" : current.hint();
  }

  @Override
  public void close() {
    closed = true;
    disconnect();
  }

  @Override
  public void disconnect() {
    HttpsConnection current = connection;
    if (current != null) {
      current.abort();
    }
  }
}
