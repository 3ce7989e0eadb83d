package dev.waymark.reporter;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * One TLS connection to the endpoint, for one request after the other. Each step fails with a
 * message that tells the person at the keyboard which step it was. Used by one thread; only {@link
 * #abort} and {@link #hint} may come from another.
 */
final class HttpsConnection {
  /** Longer than the usual 5 s between reports, shorter than what servers and NAT tables forget. */
  private static final Duration MAX_IDLE = Duration.ofSeconds(20);

  private static final String DNS_HINT = "does a NetworkPolicy block DNS, port 53?";

  private final String host;
  private final int port;
  private volatile DeadlineSocket socket;
  private volatile boolean aborted;
  private volatile String hint = "";
  private SSLSocket tls;
  private InputStream in;
  private boolean closedUnanswered;
  private Deadline idleLimit;

  /**
   * @param host a DNS name or an IP address, an IPv6 one without brackets
   */
  HttpsConnection(String host, int port) {
    this.host = host;
    this.port = port;
  }

  void open(SSLContext context, Deadline deadline) throws IOException {
    connect(deadline);
    handshake(context, deadline);
  }

  /**
   * What may be keeping it from being made, in words for the log; empty where nothing is known.
   * Where no packet leaves a pod, asking for the address alone may take longer than a caller waits.
   */
  String hint() {
    return hint;
  }

  private void connect(Deadline deadline) throws IOException {
    InetAddress[] addresses;
    hint = DNS_HINT;
    try {
      addresses = InetAddress.getAllByName(host); // not under the deadline: Java can't interrupt it
    } catch (UnknownHostException e) {
      throw new IOException("the host name " + host + " does not resolve (" + DNS_HINT + ")", e);
    }
    for (int i = 0; i < addresses.length; i++) {
      try {
        socket = new DeadlineSocket(deadline);
        int share = deadline.remainingMillis() / (addresses.length - i);
        if (aborted || share == 0) {
          throw new SocketTimeoutException("no time left");
        }
        hint = portHint();
        socket.connect(new InetSocketAddress(addresses[i], port), share);
        hint = "";
        return;
      } catch (IOException e) {
        abandon();
        if (i == addresses.length - 1) {
          throw explainConnect(e, deadline);
        }
      }
    }
  }

  private IOException explainConnect(IOException e, Deadline deadline) {
    if (e instanceof SocketTimeoutException) {
      return new IOException(
          "no connection within " + deadline.limit().toMillis() + " ms (" + portHint() + ")", e);
    }
    hint = "";
    return new IOException("no connection: " + e.getMessage(), e);
  }

  private String portHint() {
    return "does a NetworkPolicy block port " + port + "?";
  }

  private void handshake(SSLContext context, Deadline deadline) throws IOException {
    try {
      // The host given here goes into SNI and into the key of the session cache.
      tls = (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      parameters.setProtocols(modern(parameters.getProtocols()));
      tls.setSSLParameters(parameters);
      tls.startHandshake();
      in = new BufferedInputStream(tls.getInputStream());
    } catch (SSLException e) {
      abandon();
      throw e; // the endpoint knows the CA file that its message must name
    } catch (SocketTimeoutException e) {
      abandon();
      throw new IOException(
          "connected, but no TLS handshake within " + deadline.limit().toMillis() + " ms", e);
    } catch (IOException e) {
      abandon();
      throw new IOException("the connection broke in the TLS handshake: " + e.getMessage(), e);
    }
  }

  /** TLS 1.2 and newer, even where an old java.security file still allows older ones. */
  private static String[] modern(String[] enabled) {
    return Arrays.stream(enabled)
        .filter(p -> p.equals("TLSv1.3") || p.equals("TLSv1.2"))
        .toArray(String[]::new);
  }

  /**
   * Sends one request and reads its answer. After a failure the connection is closed.
   *
   * @param request head and body, at most what fits into the send buffer
   */
  HttpAnswer exchange(byte[] request, Deadline deadline) throws IOException {
    boolean answerBegun = false;
    closedUnanswered = false;
    try {
      socket.setDeadline(deadline);
      tls.getOutputStream().write(request);
      in.mark(1);
      if (in.read() >= 0) {
        answerBegun = true;
        in.reset();
      }
      HttpAnswer answer = HttpAnswer.read(in);
      if (answer.isReusable()) {
        idleLimit = Deadline.in(MAX_IDLE);
      } else {
        close();
      }
      return answer;
    } catch (SocketTimeoutException e) {
      abandon();
      throw new IOException(
          "connected, but no complete answer within " + deadline.limit().toMillis() + " ms", e);
    } catch (IOException e) {
      abandon();
      closedUnanswered = !answerBegun;
      throw new IOException("the connection broke: " + e.getMessage(), e);
    }
  }

  /** Whether the server ended the last exchange before the first byte of an answer. */
  boolean wasClosedUnanswered() {
    return closedUnanswered;
  }

  /** Whether another request may follow on this connection. */
  boolean isReusable() {
    return idleLimit != null && !idleLimit.hasPassed() && !socket.isClosed();
  }

  /** Says goodbye to the server, without waiting for its goodbye. */
  void close() {
    DeadlineSocket current = socket;
    if (current != null && !current.isClosed()) {
      current.setDeadline(Deadline.in(Duration.ZERO));
      try {
        tls.close();
      } catch (IOException e) {
        // It is closed below in any case.
      }
    }
    abandon();
  }

  /** Closes for good, from any thread: whatever is waiting on the connection fails. */
  void abort() {
    aborted = true;
    abandon();
  }

  private void abandon() {
    DeadlineSocket current = socket;
    if (current != null) {
      try {
        current.close();
      } catch (IOException e) {
        // The file descriptor is free even so.
      }
    }
  }
}
