package dev.waymark.reporter;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A real TLS server on loopback that misbehaves as told: a status endpoint on a bad day. What it
 * does can be changed between two requests.
 */
final class FaultyServer implements AutoCloseable {
  /** What goes wrong with a connection. */
  enum Fault {
    NONE,
    RESET_AT_ACCEPT,
    HANG_BEFORE_HANDSHAKE,
    HANG_AFTER_HANDSHAKE,
    HANG_AFTER_REQUEST,
    RESET_AFTER_REQUEST,
    CLOSE_AFTER_REQUEST,
    CLOSE_AFTER_ANSWER,
    TRICKLE,
    SPEAK_NONSENSE,
    SPEAK_PLAIN_HTTP
  }

  /** One request as it came. */
  static final class Request {
    final String head;
    final String body;
    final long arrivedAt = System.nanoTime();

    Request(String head, String body) {
      this.head = head;
      this.body = body;
    }

    String token() {
      return field("Authorization").replaceFirst("Bearer ", "");
    }

    String field(String name) {
      for (String line : head.split("\r\n", -1)) {
        if (line.startsWith(name + ": ")) {
          return line.substring(name.length() + 2);
        }
      }
      return "";
    }
  }

  private final ServerSocket listener;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Set<Socket> kept = ConcurrentHashMap.newKeySet();
  private final Set<Socket> silent = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile SSLContext tls;
  private volatile Fault fault = Fault.NONE;
  private volatile long delayMillis;
  private volatile Function<Request, String> answer = request -> answer(200, "{}");

  FaultyServer(SSLContext tls) {
    this(tls, "127.0.0.1", 0);
  }

  /**
   * @param port 0 for any that is free
   */
  FaultyServer(SSLContext tls, String address, int port) {
    this.tls = tls;
    try {
      listener = new ServerSocket();
      listener.setReuseAddress(true);
      listener.bind(new java.net.InetSocketAddress(InetAddress.getByName(address), port), 50);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    daemon(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  URI url() {
    return urlFor("127.0.0.1");
  }

  URI urlFor(String host) {
    return URI.create("https://" + host + ":" + port() + "/apis/status");
  }

  FaultyServer fault(Fault newFault) {
    fault = newFault;
    return this;
  }

  FaultyServer delay(long millis) {
    delayMillis = millis;
    return this;
  }

  FaultyServer answers(int status) {
    return answers(request -> answer(status, "{\"status\":\"Failure\",\"message\":\"no luck\"}"));
  }

  FaultyServer answers(Function<Request, String> newAnswer) {
    answer = newAnswer;
    return this;
  }

  FaultyServer certificate(SSLContext newTls) {
    tls = newTls;
    return this;
  }

  List<Request> requests() {
    return requests;
  }

  /** Requests that a silenced connection has swallowed. */
  int unanswered() {
    return unanswered.get();
  }

  int connections() {
    return connections.get();
  }

  int openConnections() {
    return open.size();
  }

  /**
   * Ends the connections that have served a request, as a server does with idle ones. A handshake
   * under way is not disturbed.
   */
  void dropKeptConnections() {
    for (Socket socket : kept) {
      quietly(socket::close);
    }
  }

  /** Lets the connections that have served a request hang from now on, as a dead replica's do. */
  void silenceKeptConnections() {
    silent.addAll(kept);
  }

  static String answer(int status, String body) {
    return "HTTP/1.1 "
        + status
        + " Whatever\r\nContent-Type: application/json\r\nContent-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + "\r\n\r\n"
        + body;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        connections.incrementAndGet();
        open.add(socket);
        daemon(
            () -> {
              quietly(() -> serve(socket));
              quietly(socket::close);
              open.remove(socket);
              kept.remove(socket);
            });
      } catch (IOException e) {
        // Closed: the loop ends.
      }
    }
  }

  private void serve(Socket socket) throws IOException {
    switch (fault) {
      case RESET_AT_ACCEPT:
        reset(socket);
        return;
      case HANG_BEFORE_HANDSHAKE:
        hang();
        return;
      case SPEAK_PLAIN_HTTP:
        socket.getOutputStream().write(answer(400, "this port speaks http").getBytes("US-ASCII"));
        return;
      default:
    }
    SSLSocket secure =
        (SSLSocket) tls.getSocketFactory().createSocket(socket, null, socket.getPort(), true);
    secure.setUseClientMode(false);
    secure.startHandshake();
    if (fault == Fault.HANG_AFTER_HANDSHAKE) {
      hang();
      return;
    }
    InputStream in = new BufferedInputStream(secure.getInputStream());
    while (respond(readRequest(in), secure, socket)) {
      // The connection is kept.
    }
    secure.close();
  }

  private boolean respond(Request request, SSLSocket secure, Socket plain) throws IOException {
    if (request == null) {
      return false;
    }
    if (silent.contains(plain)) {
      unanswered.incrementAndGet();
      hang();
      return false;
    }
    requests.add(request);
    if (delayMillis > 0) {
      pause(delayMillis);
    }
    String text = answer.apply(request);
    OutputStream out = secure.getOutputStream();
    // Once: who has the answer may already change the fault for the next request.
    Fault now = fault;
    switch (now) {
      case HANG_AFTER_REQUEST:
        hang();
        return false;
      case RESET_AFTER_REQUEST:
        reset(plain);
        return false;
      case CLOSE_AFTER_REQUEST:
        return false;
      case SPEAK_NONSENSE:
        out.write("220 mail.example.org ESMTP\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return false;
      case TRICKLE:
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
          out.write(b);
          pause(40);
        }
        return true;
      default:
        kept.add(plain); // before the client can know
        out.write(text.getBytes(StandardCharsets.UTF_8));
        return now != Fault.CLOSE_AFTER_ANSWER;
    }
  }

  private static Request readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      if (b < 0) {
        return null;
      }
      head.append((char) b);
    }
    Request bare = new Request(head.toString(), "");
    byte[] body = in.readNBytes(Integer.parseInt(bare.field("Content-Length")));
    return new Request(head.toString(), new String(body, StandardCharsets.UTF_8));
  }

  private static void reset(Socket socket) throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  private void hang() {
    pause(TimeUnit.MINUTES.toMillis(1));
  }

  private void pause(long millis) {
    try {
      closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    quietly(listener::close);
    for (Socket socket : open) {
      quietly(socket::close);
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "faulty-server");
    thread.setDaemon(true);
    thread.start();
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void quietly(Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      // The client's faults are looked at from the client's side.
    }
  }
}
