package dev.waymark.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;

/** A status endpoint that answers badly in one way, as a cluster on a bad day would. */
final class FaultyEndpoint implements AutoCloseable {

  /** What goes wrong. */
  enum Fault {
    NONE("answers"),
    SLOW("answers after 1 s"),
    HANGS_BEFORE_HANDSHAKE("hangs before the TLS handshake"),
    HANGS_AFTER_HANDSHAKE("hangs after the TLS handshake"),
    RESETS("resets the connection"),
    TRICKLES("trickles its answer"),
    ANSWERS_500("answers 500"),
    ANSWERS_403("answers 403"),
    ANSWERS_404("answers 404"),
    ANSWERS_413("answers 413"),
    ANSWERS_422("answers 422"),
    ROTATES_TOKEN("rotates the token in mid-run"),
    ROTATES_CA("rotates its CA in mid-run"),
    UNTRUSTED("has a certificate of another CA"),
    AWAY("is away");

    final String words;

    Fault(String words) {
      this.words = words;
    }
  }

  /** Request of which the rotations take place. */
  private static final int ROTATING_REQUEST = 3;

  private final Fault fault;
  private final ClientFiles files;
  private final ServerSocket server;
  private final ExecutorService connections = Executors.newCachedThreadPool(FaultyEndpoint::daemon);
  private final AtomicInteger requests = new AtomicInteger();
  private final LoopbackTls nextTls;
  private volatile LoopbackTls tls;

  /**
   * Writes its certificate and a token into the client's files, and listens unless it is away.
   *
   * @param nextTls what it has after a rotation, and what the client trusts if not this endpoint:
   *     made before, so as not to take the training's time
   */
  FaultyEndpoint(LoopbackTls tls, LoopbackTls nextTls, ClientFiles files, Fault fault)
      throws IOException {
    this.fault = fault;
    this.files = files;
    this.tls = tls;
    this.nextTls = nextTls;
    files.trust(fault == Fault.UNTRUSTED ? nextTls : tls);
    files.useToken("first.token");
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    if (fault == Fault.AWAY) {
      server.close();
    } else {
      connections.execute(this::accept);
    }
  }

  int port() {
    return server.getLocalPort();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    connections.shutdownNow();
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "faulty-endpoint");
    thread.setDaemon(true);
    return thread;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        connections.execute(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      if (fault == Fault.HANGS_BEFORE_HANDSHAKE) {
        hang();
      }
      if (fault == Fault.RESETS) {
        connection.setSoLinger(true, 0);
        return;
      }
      SSLSocket socket = tls.accept(connection);
      socket.startHandshake();
      if (fault == Fault.HANGS_AFTER_HANDSHAKE) {
        hang();
      }
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      for (String token; (token = tokenOfRequest(reader)) != null; ) {
        if (requests.incrementAndGet() == ROTATING_REQUEST && fault == Fault.ROTATES_CA) {
          rotateCa();
          return;
        }
        answer(socket, token);
      }
    } catch (IOException | InterruptedException e) {
      // The client has given up, which is what a fault is for.
    }
  }

  private void answer(Socket socket, String token) throws IOException, InterruptedException {
    switch (fault) {
      case SLOW -> {
        Thread.sleep(1000);
        write(socket, "200 OK");
      }
      case TRICKLES -> {
        for (byte b : response("200 OK")) {
          socket.getOutputStream().write(b);
          socket.getOutputStream().flush();
          Thread.sleep(500);
        }
      }
      case ANSWERS_500 -> write(socket, "500 Internal Server Error");
      case ANSWERS_403 -> write(socket, "403 Forbidden");
      case ANSWERS_404 -> write(socket, "404 Not Found");
      case ANSWERS_413 -> write(socket, "413 Payload Too Large");
      case ANSWERS_422 -> write(socket, "422 Unprocessable Entity");
      case ROTATES_TOKEN -> write(socket, takes(token) ? "200 OK" : "403 Forbidden");
      default -> write(socket, "200 OK");
    }
  }

  /** From the rotation on only the new token counts, which a client must read from its file. */
  private boolean takes(String token) throws IOException {
    if (requests.get() < ROTATING_REQUEST) {
      return token.equals("first.token");
    }
    files.useToken("second.token");
    return token.equals("second.token");
  }

  private void rotateCa() throws IOException {
    tls = nextTls;
    files.trust(tls);
  }

  private static void write(Socket socket, String status) throws IOException {
    socket.getOutputStream().write(response(status));
    socket.getOutputStream().flush();
  }

  private static byte[] response(String status) {
    return ("HTTP/1.1 " + status + "\r\nContent-Length: 2\r\n\r\n{}")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static void hang() throws InterruptedException {
    Thread.sleep(Long.MAX_VALUE);
  }

  /** The bearer token of the next request, empty if it has none; null if there is no request. */
  private static String tokenOfRequest(BufferedReader reader) throws IOException {
    String line = reader.readLine();
    if (line == null) {
      return null;
    }
    int length = 0;
    String token = "";
    for (; line != null && !line.isEmpty(); line = reader.readLine()) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      } else if (line.regionMatches(true, 0, "authorization: bearer ", 0, 22)) {
        token = line.substring(22).strip();
      }
    }
    for (int read = 0; read < length; ) {
      long skipped = reader.skip(length - read);
      if (skipped <= 0) {
        return null;
      }
      read += (int) skipped;
    }
    return token;
  }
}
