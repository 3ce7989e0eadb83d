package dev.waymark.status;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Speaks HTTP/1.1 byte by byte, so that tests can do what no HTTP client does. */
final class TlsClient implements AutoCloseable {

  /** An answer; header names in lower case. */
  record Response(int code, Map<String, String> headers, String body) {}

  private static final int READ_TIMEOUT_MILLIS = 20_000;

  private final SSLSocket socket;

  /** Connects; with the default protocols when none is named. */
  TlsClient(SSLContext context, int port, String... protocols) throws IOException {
    socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    if (protocols.length > 0) {
      socket.setEnabledProtocols(protocols);
    }
    socket.startHandshake();
  }

  X509Certificate serverCertificate() throws IOException {
    return (X509Certificate) socket.getSession().getPeerCertificates()[0];
  }

  String cipherSuite() {
    return socket.getSession().getCipherSuite();
  }

  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  Response receive() throws IOException {
    return receive("POST");
  }

  Response receive(String method) throws IOException {
    InputStream in = socket.getInputStream();
    int code = Integer.parseInt(line(in).split(" ", 3)[1]);
    Map<String, String> headers = new TreeMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).strip());
    }
    int length =
        method.equals("HEAD") ? 0 : Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Response(code, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  /** Waits until the server has closed the connection; true if it sent nothing more before. */
  boolean isClosedSilently() {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return e.getMessage().contains("reset") || e.getMessage().contains("Broken pipe");
    }
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("closed by the server after: " + line);
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
